package dev.connectorevents.local.history;

import java.time.Instant;

/**
 * From sending something to its answer.
 *
 * @param start in {@link System#nanoTime}
 * @param end in {@link System#nanoTime}
 * @param startedAt the service's time at the start
 * @param endedAt the service's time at the end
 */
record Span(long start, long end, Instant startedAt, Instant endedAt) {

  boolean isBefore(Span other) {
    return end < other.start;
  }
}
