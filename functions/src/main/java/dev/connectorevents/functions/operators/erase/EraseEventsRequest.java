package dev.connectorevents.functions.operators.erase;

import static dev.connectorevents.functions.operators.OperatorEvent.text;

import dev.connectorevents.erasure.EventSelection;
import dev.connectorevents.event.EventIds;
import dev.connectorevents.functions.operators.OperatorEvent;
import dev.connectorevents.functions.operators.SelectionReader;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The function's event, checked. */
sealed interface EraseEventsRequest {

  /**
   * A step of an erasure. As text, {@code <erasure>} or {@code <erasure>:<step>}.
   *
   * @param step empty for the one that is open
   */
  record Place(UUID erasureId, Optional<Integer> step) {

    private static final Pattern SHAPE = Pattern.compile("([0-9a-f-]{36})(?::([1-9][0-9]{0,6}))?");

    static Optional<Place> parse(String text) {
      Matcher shape = SHAPE.matcher(text);
      return shape.matches()
          ? EventIds.parse(shape.group(1))
              .map(id -> new Place(id, Optional.ofNullable(shape.group(2)).map(Integer::valueOf)))
          : Optional.empty();
    }

    String text() {
      return erasureId + step.map(number -> ":" + number).orElse("");
    }
  }

  /**
   * Erases.
   *
   * @param reason why, for the proof
   * @param next empty for the first call
   * @param digest of all members but {@code next}: each call of an erasure must have the same
   */
  record Erase(
      EventSelection selection, Optional<String> reason, Optional<Place> next, String digest)
      implements EraseEventsRequest {

    private static Supplier<Erase> read(OperatorEvent event) {
      if (event.isOf("dry_run")) {
        event.check(!event.has("dry_run"), "dry_run", NO_DRY_RUN);
      }
      Supplier<EventSelection> selection = SelectionReader.read(event, false);
      Optional<String> reason =
          event.optionalNotNull("reason", OperatorEvent.LABEL_RULE, text(OperatorEvent::label));
      Optional<Place> next =
          event.optionalNotNull("next", SelectionReader.NEXT_RULE, text(Place::parse));
      event.refuseOthers("an erasure");
      return () -> new Erase(selection.get(), reason, next, event.digestWithout("next"));
    }
  }

  /** Ends an erasure early. */
  record End(UUID erasureId) implements EraseEventsRequest {

    private static Supplier<End> read(OperatorEvent event) {
      Optional<UUID> id = event.required("end", SelectionReader.ID_RULE, text(EventIds::parse));
      Optional<Place> next =
          event.optionalNotNull("next", SelectionReader.NEXT_RULE, text(Place::parse));
      event.check(
          next.map(Place::erasureId).equals(next.flatMap(_ -> id)),
          "next",
          SelectionReader.NEXT_RULE);
      event.refuseOthers("an end");
      return () -> new End(id.orElseThrow());
    }
  }

  String NO_DRY_RUN = "unknown member: FindEventsFunction finds events and changes nothing";

  /** Reads an event. */
  static Supplier<? extends EraseEventsRequest> read(OperatorEvent event) {
    return event.isOf("end") ? End.read(event) : Erase.read(event);
  }
}
