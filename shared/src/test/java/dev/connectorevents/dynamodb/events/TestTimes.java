package dev.connectorevents.dynamodb.events;

import dev.connectorevents.dynamodb.Deadline;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;

/** The times of writes that a test makes. */
public final class TestTimes {

  private static final Deadline NONE =
      new Deadline() {
        @Override
        public <T> T bound(Supplier<T> calls) {
          return calls.get();
        }
      };

  private TestTimes() {}

  /** Writes at this time, without a deadline. */
  public static WriteTimes at(Instant time) {
    return of(() -> time);
  }

  /** Writes at the times of this clock, without a deadline. */
  public static WriteTimes of(InstantSource clock) {
    return new WriteTimes(clock, time -> NONE);
  }
}
