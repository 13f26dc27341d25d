package dev.connectorevents.local.history;

import dev.connectorevents.functions.wiring.Sleep;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;

/** The time of the whole service. It runs {@value #SPEED} times as fast as real time. */
final class ServiceTime {

  /** A user's cache of 5 s then ends after half a second. */
  static final int SPEED = 10;

  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final long start = System.nanoTime();
  private Duration jumped = Duration.ZERO;

  synchronized Instant now() {
    return START.plusNanos((System.nanoTime() - start) * SPEED).plus(jumped);
  }

  /** Sets all clocks forward or back. */
  synchronized void jump(Duration by) {
    jumped = jumped.plus(by);
  }

  /** The clock of one function, which differs from the others. */
  Clock clock(Duration skew) {
    InstantSource source = () -> now().plus(skew);
    return source.withZone(ZoneOffset.UTC);
  }

  /** Waits for a time of the service. */
  void sleep(Duration time) {
    Sleep.of(time.dividedBy(SPEED));
  }
}
