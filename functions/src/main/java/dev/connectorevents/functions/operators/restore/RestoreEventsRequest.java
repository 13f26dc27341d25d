package dev.connectorevents.functions.operators.restore;

import static dev.connectorevents.functions.operators.OperatorEvent.text;

import dev.connectorevents.event.Timestamp;
import dev.connectorevents.functions.operators.OperatorEvent;
import dev.connectorevents.functions.operators.SelectionReader;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/** The function's event, checked. */
sealed interface RestoreEventsRequest {

  RunSteps.Asked asked();

  /** Asks for the events of a restored table. */
  record Restore(RunSteps.Asked asked, String table) implements RestoreEventsRequest {

    private static Supplier<Restore> read(OperatorEvent event) {
      Optional<String> table =
          event.required("restore_from", "the name of a restored table", text(Optional::of));
      Optional<RunSteps.Next> next = next(event);
      event.refuseOthers("a restore");
      return () -> new Restore(ask("restore", event, next), table.orElseThrow());
    }
  }

  /**
   * Asks for new positions of what the feed lacks of a time.
   *
   * @param from included; in whole milliseconds, as {@code to}
   * @param to excluded
   */
  record Fill(RunSteps.Asked asked, Instant from, Instant to) implements RestoreEventsRequest {

    private static Supplier<Fill> read(OperatorEvent event) {
      Optional<RunSteps.Next> next = next(event);
      Optional<OperatorEvent> times = event.object("fill", "an object with from and to");
      Optional<Instant> from = times.flatMap(it -> it.time("from", "; required with fill"));
      Optional<Instant> to = times.flatMap(it -> it.time("to", "; required with fill"));
      times.ifPresent(it -> it.checkOrder(from, to));
      times.ifPresent(it -> it.refuseOthers("fill"));
      event.refuseOthers("a fill");
      return () -> new Fill(ask("fill", event, next), roundedUp(from), roundedUp(to));
    }

    private static Instant roundedUp(Optional<Instant> time) {
      return Timestamp.roundedUp(time.orElseThrow());
    }
  }

  private static Optional<RunSteps.Next> next(OperatorEvent event) {
    return event.optionalNotNull("next", SelectionReader.NEXT_RULE, text(RunSteps.Next::parse));
  }

  private static RunSteps.Asked ask(
      String kind, OperatorEvent event, Optional<RunSteps.Next> next) {
    return new RunSteps.Asked(kind, event.digestWithout("next"), next);
  }

  /** Reads an event. */
  static Supplier<? extends RestoreEventsRequest> read(OperatorEvent event) {
    return event.isOf("fill") ? Fill.read(event) : Restore.read(event);
  }
}
