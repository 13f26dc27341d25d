package dev.connectorevents.acceptance.search;

import java.time.Instant;

/**
 * The time from sending a request to its answer.
 *
 * @param start in nanoseconds of {@link ServiceTime#elapsed}
 * @param end in nanoseconds of {@link ServiceTime#elapsed}
 * @param startedAt the time of a correct clock at the start
 * @param endedAt the time of a correct clock at the end
 */
record Span(long start, long end, Instant startedAt, Instant endedAt) {

  boolean isBefore(Span other) {
    return end < other.start;
  }
}
