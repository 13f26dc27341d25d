package dev.connectorevents.feed;

import dev.connectorevents.DependencyUnavailableException;
import java.time.Instant;
import java.util.UUID;

/** Writes marks beside the events: their stream hands them over after what was stored before. */
@FunctionalInterface
public interface StreamMarks {

  /**
   * Writes marks. To write one again changes nothing.
   *
   * @param run whose marks they are
   * @param first the number of the first one
   * @param last the number of the last one
   * @param expiresAt when they may vanish
   * @throws DependencyUnavailableException if the store does not answer
   */
  void put(UUID run, int first, int last, Instant expiresAt);
}
