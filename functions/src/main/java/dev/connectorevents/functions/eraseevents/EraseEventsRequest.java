package dev.connectorevents.functions.eraseevents;

import static dev.connectorevents.functions.lambda.OperatorEvent.text;

import dev.connectorevents.event.Erasure;
import dev.connectorevents.event.ErasureSelector;
import dev.connectorevents.event.EventIds;
import dev.connectorevents.eventformat.EventSelection;
import dev.connectorevents.functions.lambda.OperatorEvent;
import dev.connectorevents.functions.lambda.RequestNext;
import dev.connectorevents.functions.lambda.SelectionReader;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * The function's event, checked.
 *
 * @param reason why, for the proof
 * @param next empty for the first call
 * @param digest of all members but {@code next}: each call of an erasure must have the same
 */
record EraseEventsRequest(
    EventSelection selection, Optional<String> reason, Optional<Place> next, String digest) {

  /** The step of an erasure that is next. */
  record Place(UUID erasureId, int step) {

    private static final Pattern STEP = Pattern.compile("[1-9][0-9]{0,6}");

    private static Optional<Place> of(RequestNext next) {
      return EventIds.parse(next.run())
          .filter(_ -> STEP.matcher(next.place()).matches())
          .map(id -> new Place(id, Integer.parseInt(next.place())));
    }

    String text(String requestDigest) {
      return new RequestNext(erasureId.toString(), Integer.toString(step)).text(requestDigest);
    }
  }

  private static final String NO_DRY_RUN =
      "unknown member: FindEventsFunction finds events and changes nothing";

  static Supplier<EraseEventsRequest> read(OperatorEvent event) {
    if (event.isOf("dry_run")) {
      event.check(!event.has("dry_run"), "dry_run", NO_DRY_RUN);
    }
    Supplier<EventSelection> selection = SelectionReader.read(event, false);
    Optional<String> reason =
        event.optionalNotNull("reason", OperatorEvent.LABEL_RULE, text(OperatorEvent::label));
    event.has("next");
    event.refuseOthers("an erasure");
    String digest = SelectionReader.digest(event);
    Optional<Place> next = SelectionReader.next(event, digest, Place::of);
    return () -> new EraseEventsRequest(selection.get(), reason, next, digest);
  }

  /**
   * Whether what the proof of an erasure says is true of this request. An operator may have made up
   * its {@code next}.
   */
  boolean fits(Erasure erasure) {
    return erasure.selectorKind().equals(selection.selector().kind())
        && erasure.isNarrowed() == selection.isNarrowed()
        && erasure.to().equals(selection.narrowingTo())
        && erasure.isScan() == selection.isScan()
        && erasure.reason().equals(reason)
        && erasure.brand().map(this::isOf).orElse(true);
  }

  private boolean isOf(Erasure.SaltedBrand salted) {
    return selection.selector() instanceof ErasureSelector.Brand(String brand)
        && salted.isOf(brand);
  }
}
