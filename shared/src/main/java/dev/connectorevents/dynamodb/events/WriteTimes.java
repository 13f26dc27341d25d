package dev.connectorevents.dynamodb.events;

import dev.connectorevents.dynamodb.Deadline;
import dev.connectorevents.event.Events;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.function.Function;

/**
 * Gives each write its time, and bounds all of its tries by {@link Events#LONGEST_WRITE}: so
 * nothing appears in an index later than readers reckon with.
 *
 * @param deadlines makes a deadline that is so far ahead
 */
public record WriteTimes(InstantSource clock, Function<Duration, Deadline> deadlines) {

  /**
   * The time of a write.
   *
   * @param at what is stored, in whole milliseconds
   * @param deadline of all tries of the write
   */
  record WriteTime(Instant at, Deadline deadline) {}

  /** Call this right before the first try. */
  WriteTime begin() {
    // The deadline first: if this thread pauses in between, the deadline is early and not late.
    Deadline deadline = deadlines.apply(Events.LONGEST_WRITE);
    return new WriteTime(clock.instant().truncatedTo(ChronoUnit.MILLIS), deadline);
  }
}
