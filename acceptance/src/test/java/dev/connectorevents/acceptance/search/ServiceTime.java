package dev.connectorevents.acceptance.search;

import dev.connectorevents.functions.wiring.Sleep;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;

/** The time of the whole service. It runs {@value #SPEED} times as fast as real time. */
final class ServiceTime {

  /**
   * How many seconds of the service's time pass in one real second. A cache entry of 5 s then
   * expires after half a real second.
   */
  static final int SPEED = 10;

  /**
   * The service's time when a run starts. It is far in the future: DynamoDB Local deletes expired
   * items by its own clock, so it deletes no item of a run.
   */
  private static final Instant START = Instant.parse("2100-01-01T00:00:00Z");

  private final long start = System.nanoTime();
  private Duration skipped = Duration.ZERO;
  private Duration jumped = Duration.ZERO;

  /** How much of the service's time has passed, in nanoseconds. Jumps do not change it. */
  synchronized long elapsed() {
    return (System.nanoTime() - start) * SPEED + skipped.toNanos();
  }

  /** The time that a clock without skew shows. Jumps change it. */
  synchronized Instant now() {
    return START.plusNanos(elapsed()).plus(jumped);
  }

  /** Lets this much of the service's time pass at once. */
  synchronized void skip(Duration time) {
    skipped = skipped.plus(time);
  }

  /** Sets all clocks forward or back. */
  synchronized void jump(Duration by) {
    jumped = jumped.plus(by);
  }

  /** A clock for one instance of a function. It shows {@link #now} plus the skew. */
  Clock clock(Duration skew) {
    InstantSource source = () -> now().plus(skew);
    return source.withZone(ZoneOffset.UTC);
  }

  /** Waits for this duration of the service's time. */
  void sleep(Duration time) {
    Sleep.of(time.dividedBy(SPEED));
  }

  /** Begins to measure a span. */
  Stopwatch start() {
    return new Stopwatch(this, elapsed(), now());
  }

  /** Measures a span, until {@link #stop}. */
  record Stopwatch(ServiceTime time, long start, Instant startedAt) {

    Span stop() {
      return new Span(start, time.elapsed(), startedAt, time.now());
    }
  }
}
