package dev.connectorevents.functions.restoreevents;

import static dev.connectorevents.functions.lambda.OperatorEvent.text;

import dev.connectorevents.event.Timestamp;
import dev.connectorevents.functions.lambda.OperatorEvent;
import dev.connectorevents.functions.lambda.SelectionReader;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/** The function's event, checked. */
sealed interface RestoreEventsRequest {

  /**
   * Asks for the events of a restored table.
   *
   * @param place where to go on
   */
  record Restore(String table, RestorePlace place) implements RestoreEventsRequest {

    private static Supplier<Restore> read(OperatorEvent event) {
      Optional<String> table =
          event.required("restore_from", "the name of a restored table", text(Optional::of));
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

  /** Reads an event. */
  static Supplier<? extends RestoreEventsRequest> read(OperatorEvent event) {
    return event.isOf("fill") ? Fill.read(event) : Restore.read(event);
  }
}
