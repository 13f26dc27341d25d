package dev.connectorevents;

import java.time.Duration;
import java.time.Instant;

/**
 * A value that is used again for a while instead of being read again.
 *
 * @param since when it was read: a time before the call, so that it is never younger than it says
 */
public record Remembered<T>(T value, Instant since) {

  /**
   * Whether the value is younger than this age. It is not if it seems to come from the future:
   * somebody has set the clock back, so nobody knows its age.
   */
  public boolean isYoungerThan(Duration age, Instant now) {
    return isValidUntil(since.plus(age), now);
  }

  /** As {@link #isYoungerThan}, for a value with an end of its own. */
  public boolean isValidUntil(Instant end, Instant now) {
    return !now.isBefore(since) && now.isBefore(end);
  }
}
