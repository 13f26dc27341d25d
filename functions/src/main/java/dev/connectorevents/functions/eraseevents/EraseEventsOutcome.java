package dev.connectorevents.functions.eraseevents;

import dev.connectorevents.event.Erasure;
import dev.connectorevents.http.Fault;
import java.time.Duration;

/** How one call ended. {@link CallFigures} has what it did. */
sealed interface EraseEventsOutcome {

  /**
   * There is more to do.
   *
   * @param pause how long the caller must wait before the next call; not positive if it need not
   */
  record Continues(ErasureProgress progress, Duration pause) implements EraseEventsOutcome {}

  /** All is erased, but for the events that could not be judged. */
  record Ends(Erasure erasure) implements EraseEventsOutcome {}

  /** All is listed. */
  record DryRunEnds() implements EraseEventsOutcome {}

  /** The erasure cannot go on. */
  record Refused(Fault fault) implements EraseEventsOutcome {}
}
