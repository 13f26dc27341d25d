package dev.connectorevents.acceptance.storm;

import dev.connectorevents.acceptance.service.WorldClock;
import java.time.Instant;

/**
 * The time from the start to the end of an operation, such as from a request to its answer.
 *
 * @param start from {@link WorldClock#elapsed}, in nanoseconds; jumps of the clocks do not change
 *     it
 * @param end like {@code start}
 * @param startedAt from {@link WorldClock#now}; jumps of the clocks change it
 * @param endedAt like {@code startedAt}
 */
record Span(long start, long end, Instant startedAt, Instant endedAt) {

  boolean isBefore(Span other) {
    return end < other.start;
  }
}
