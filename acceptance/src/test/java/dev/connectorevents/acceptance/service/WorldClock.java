package dev.connectorevents.acceptance.service;

import dev.connectorevents.functions.wiring.Sleep;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;

/** The time of a {@link World}. A test lets it pass, and sets it forward or back. */
public final class WorldClock {

  /**
   * A time in the far future: DynamoDB Local deletes expired items by its own clock, so it deletes
   * no item of a world that begins then.
   */
  private static final Instant FUTURE = Instant.parse("2100-01-01T00:00:00Z");

  private static final Duration NEVER = Duration.ofHours(1);

  private final Instant begin;
  private final boolean stands;
  private final long start = System.nanoTime();
  private Duration passed = Duration.ZERO;

  private WorldClock(Instant begin, boolean stands) {
    this.begin = begin;
    this.stands = stands;
  }

  /** Begins now, and runs as real time does. */
  public static WorldClock fromNow() {
    return new WorldClock(Instant.now(), false);
  }

  /**
   * Begins in the far future, and stands still: time passes only when a test says so, or when a
   * function waits. No call of the service times out, however long a test holds it up.
   */
  public static WorldClock standing() {
    return new WorldClock(FUTURE, true);
  }

  /** The time that all clocks show. */
  public synchronized Instant now() {
    return begin.plusNanos(stands ? 0 : System.nanoTime() - start).plus(passed);
  }

  /** Lets this much time pass at once. */
  public synchronized void pass(Duration time) {
    passed = passed.plus(time);
  }

  /** Sets all clocks forward or back. */
  public void jump(Duration by) {
    pass(by);
  }

  Clock clock() {
    InstantSource source = this::now;
    return source.withZone(ZoneOffset.UTC);
  }

  /** A time-out in real time, of which a function has this one. */
  Duration timeout(Duration real) {
    return stands ? NEVER : real;
  }

  /** Waits until this much time has passed. */
  public void sleep(Duration time) {
    if (stands) {
      pass(time);
    } else {
      Sleep.of(time);
    }
  }
}
