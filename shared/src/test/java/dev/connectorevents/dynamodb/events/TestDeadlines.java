package dev.connectorevents.dynamodb.events;

import dev.connectorevents.dynamodb.Deadline;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Function;
import java.util.function.Supplier;
import software.amazon.awssdk.core.exception.SdkClientException;

/** Deadlines by the clock of a test. */
record TestDeadlines(InstantSource clock) implements Function<Duration, Deadline> {

  private static final ScopedValue<Instant> END = ScopedValue.newInstance();

  @Override
  public Deadline apply(Duration time) {
    Instant end = clock.instant().plus(time);
    return new Deadline() {
      @Override
      public <T> T bound(Supplier<T> calls) {
        return ScopedValue.where(END, end).call(calls::get);
      }
    };
  }

  /** Fails a call that begins after its deadline, as the service's SDK client does. */
  void check() {
    if (clock.instant().isAfter(END.get())) {
      throw SdkClientException.create("no time is left");
    }
  }
}
