package dev.connectorevents.bench.logins;

import java.time.Duration;
import java.util.List;

/** How long something took that was done several times, in milliseconds. */
record Times(double median, double fastest, double slowest) {

  static Times of(List<Duration> times) {
    double[] sorted = times.stream().mapToDouble(time -> time.toNanos() / 1e6).sorted().toArray();
    double upper = sorted[sorted.length / 2];
    double lower = sorted[(sorted.length - 1) / 2];
    return new Times((lower + upper) / 2, sorted[0], sorted[sorted.length - 1]);
  }
}
