package dev.connectorevents.acceptance.search;

import java.time.Instant;

/**
 * The time from sending a request to its answer.
 *
 * @param start from {@link ServiceTime#elapsed}, in nanoseconds; clock jumps do not change it
 * @param end as {@code start}
 * @param startedAt wall-clock time of a correct clock; it jumps with the clocks
 * @param endedAt as {@code startedAt}
 */
record Span(long start, long end, Instant startedAt, Instant endedAt) {

  boolean isBefore(Span other) {
    return end < other.start;
  }
}
