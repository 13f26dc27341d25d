package dev.connectorevents.acceptance.search;

import dev.connectorevents.functions.wiring.Sleep;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;

/** The time of the whole service. It runs {@value #SPEED} times as fast as real time. */
final class ServiceTime {

  /** At this speed, a cache of 5 s expires after half a second. */
  static final int SPEED = 10;

  /**
   * Far in the future. DynamoDB Local deletes expired items by its own clock, so it deletes none of
   * ours.
   */
  private static final Instant START = Instant.parse("2100-01-01T00:00:00Z");

  private final long start = System.nanoTime();
  private Duration skipped = Duration.ZERO;
  private Duration jumped = Duration.ZERO;

  /** How much of the service's time has passed, in ns. Jumps of the clocks do not change this. */
  synchronized long elapsed() {
    return (System.nanoTime() - start) * SPEED + skipped.toNanos();
  }

  /** The time of a correct clock. */
  synchronized Instant now() {
    return START.plusNanos(elapsed()).plus(jumped);
  }

  /** Lets this time pass at once. */
  synchronized void skip(Duration time) {
    skipped = skipped.plus(time);
  }

  /** Sets all clocks forward or back. */
  synchronized void jump(Duration by) {
    jumped = jumped.plus(by);
  }

  /** The clock of one instance, which differs from a correct clock by the skew. */
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

  /** Measures a span until it is stopped. */
  record Stopwatch(ServiceTime time, long start, Instant startedAt) {

    Span stop() {
      return new Span(start, time.elapsed(), startedAt, time.now());
    }
  }
}
