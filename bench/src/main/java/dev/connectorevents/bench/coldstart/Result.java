package dev.connectorevents.bench.coldstart;

import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * What was measured of a candidate.
 *
 * @param warmMs of requests in a row; none, if it is not measured by them
 * @param classes that were loaded up to the first answer; after a restore, those since then
 */
record Result(Candidate candidate, List<Run> runs, List<Double> warmMs, List<String> classes) {

  Result {
    runs = List.copyOf(runs);
    warmMs = List.copyOf(warmMs);
    classes = List.copyOf(classes);
  }

  String name() {
    return candidate.name();
  }

  double initMs() {
    return median(Run::initMs);
  }

  double firstMs() {
    return median(Run::firstMs);
  }

  double coldMs() {
    return median(Run::coldMs);
  }

  double peakMib() {
    return median(Run::peakMib);
  }

  /** Empty for a candidate that is not measured by them. */
  OptionalDouble warmMs(double share) {
    return warmMs.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(Quantiles.quantile(warmMs, share));
  }

  private double median(ToDoubleFunction<Run> value) {
    return Quantiles.median(runs.stream().map(value::applyAsDouble).toList());
  }
}
