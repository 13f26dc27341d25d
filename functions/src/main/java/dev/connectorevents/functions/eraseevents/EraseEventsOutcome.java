package dev.connectorevents.functions.eraseevents;

import dev.connectorevents.event.Erasure;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/**
 * What one call did.
 *
 * <p>{@code matched} are the ids of the events that this call selected; {@code erased} says how
 * many of them have a tombstone of this erasure now.
 */
sealed interface EraseEventsOutcome {

  List<UUID> matched();

  int erased();

  /**
   * There is more to do.
   *
   * @param pause how long the caller must wait before the next call
   */
  record Continues(ErasureProgress progress, List<UUID> matched, int erased, Duration pause)
      implements EraseEventsOutcome {}

  /** All is erased. */
  record Ends(Erasure erasure, List<UUID> matched, int erased) implements EraseEventsOutcome {}

  /** All is listed. */
  record DryRunEnds(List<UUID> matched) implements EraseEventsOutcome {

    @Override
    public int erased() {
      return 0;
    }
  }
}
