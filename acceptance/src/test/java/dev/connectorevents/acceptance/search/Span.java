package dev.connectorevents.acceptance.search;

import java.time.Instant;

/**
 * From sending something to its answer.
 *
 * @param start in {@link ServiceTime#elapsed}
 * @param end in {@link ServiceTime#elapsed}
 * @param startedAt what a clock showed at the start
 * @param endedAt what a clock showed at the end
 */
record Span(long start, long end, Instant startedAt, Instant endedAt) {

  boolean isBefore(Span other) {
    return end < other.start;
  }
}
