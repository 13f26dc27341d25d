package dev.connectorevents.functions.restoreevents;

import static dev.connectorevents.functions.lambda.OperatorEvent.text;

import dev.connectorevents.event.EventIds;
import dev.connectorevents.event.Timestamp;
import dev.connectorevents.functions.lambda.OperatorEvent;
import dev.connectorevents.functions.lambda.RequestNext;
import dev.connectorevents.functions.lambda.SelectionReader;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The function's event, checked. */
sealed interface RestoreEventsRequest {

  /**
   * Asks for the events of a restored table.
   *
   * @param place where to go on
   */
  record Restore(String table, RestorePlace place) implements RestoreEventsRequest {

    private static Supplier<Restore> read(OperatorEvent event) {
      Optional<String> table = restoredTable(event);
      Optional<RestorePlace> place =
          event.optionalNotNull("next", SelectionReader.NEXT_RULE, text(RestorePlace::parse));
      event.refuseOthers("a restore");
      return () -> new Restore(table.orElseThrow(), place.orElse(RestorePlace.InLedger.FIRST));
    }
  }

  /**
   * Asks for new positions of what the feed lacks of a time.
   *
   * @param from included; in whole milliseconds, as {@code to}
   * @param to excluded
   * @param place where to go on; empty for the first call
   */
  record Fill(Instant from, Instant to, Optional<FillPlace> place) implements RestoreEventsRequest {

    private static Supplier<Fill> read(OperatorEvent event) {
      Optional<FillPlace> place =
          event.optionalNotNull("next", SelectionReader.NEXT_RULE, text(FillPlace::parse));
      Optional<OperatorEvent> times = event.object("fill", "an object with from and to");
      Optional<Instant> from = times.flatMap(it -> it.time("from", "; required with fill"));
      Optional<Instant> to = times.flatMap(it -> it.time("to", "; required with fill"));
      times.ifPresent(it -> it.checkOrder(from, to));
      times.ifPresent(it -> it.refuseOthers("fill"));
      event.refuseOthers("a fill");
      return () -> new Fill(roundedUp(from), roundedUp(to), place);
    }

    private static Instant roundedUp(Optional<Instant> time) {
      return Timestamp.roundedUp(time.orElseThrow());
    }
  }

  /**
   * Asks for the events of an erasure.
   *
   * @param table the restored table that has them
   * @param reason why, for the proof
   * @param next empty for the first call
   * @param digest of all members but {@code next}: each call must have the same
   */
  record TakeBack(
      UUID erasureId, String table, Optional<String> reason, Optional<Place> next, String digest)
      implements RestoreEventsRequest {

    /**
     * Where the next call begins.
     *
     * @param step of the erasure; from 1
     * @param index in the step's ids
     * @param takenBack how many events before it are there
     */
    record Place(int step, int index, int takenBack) {

      static final Place FIRST = new Place(1, 0, 0);

      private static final Pattern SHAPE =
          Pattern.compile("([1-9][0-9]{0,6}):([0-9]{1,6}):([0-9]{1,9})");

      private static Optional<Place> of(RequestNext next) {
        Matcher shape = SHAPE.matcher(next.place());
        return shape.matches()
            ? Optional.of(new Place(number(shape, 1), number(shape, 2), number(shape, 3)))
            : Optional.empty();
      }

      private static int number(Matcher shape, int group) {
        return Integer.parseInt(shape.group(group));
      }

      private String text() {
        return step + ":" + index + ":" + takenBack;
      }
    }

    private static Supplier<TakeBack> read(OperatorEvent event) {
      Optional<UUID> erasureId =
          event.required("take_back", SelectionReader.ID_RULE, text(EventIds::parse));
      Optional<String> table = restoredTable(event);
      Optional<String> reason =
          event.optionalNotNull("reason", OperatorEvent.LABEL_RULE, text(OperatorEvent::label));
      event.has("next");
      event.refuseOthers("a way back");
      String digest = SelectionReader.digest(event);
      Optional<Place> next = SelectionReader.next(event, digest, Place::of);
      return () -> new TakeBack(erasureId.orElseThrow(), table.orElseThrow(), reason, next, digest);
    }

    /** What the next call sends. */
    String nextAt(Place place) {
      return new RequestNext(erasureId.toString(), place.text()).text(digest);
    }
  }

  private static Optional<String> restoredTable(OperatorEvent event) {
    return event.required("restore_from", "the name of a restored table", text(Optional::of));
  }

  /** Reads an event. */
  static Supplier<? extends RestoreEventsRequest> read(OperatorEvent event) {
    if (event.isOf("take_back")) {
      return TakeBack.read(event);
    }
    return event.isOf("fill") ? Fill.read(event) : Restore.read(event);
  }
}
