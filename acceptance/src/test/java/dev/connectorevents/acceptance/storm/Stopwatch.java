package dev.connectorevents.acceptance.storm;

import dev.connectorevents.acceptance.service.WorldClock;
import java.time.Instant;

/** Measures a {@link Span}, until {@link #stop}. */
record Stopwatch(WorldClock time, long start, Instant startedAt) {

  static Stopwatch start(WorldClock time) {
    return new Stopwatch(time, time.elapsed(), time.now());
  }

  Span stop() {
    return new Span(start, time.elapsed(), startedAt, time.now());
  }
}
