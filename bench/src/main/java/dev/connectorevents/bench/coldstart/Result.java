package dev.connectorevents.bench.coldstart;

import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * What was measured of a candidate, as medians over its runs.
 *
 * @param classes that were loaded up to the first answer; after a restore, those since then
 */
record Result(Candidate candidate, List<Run> runs, List<String> classes) {

  Result {
    runs = List.copyOf(runs);
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

  /** Empty for a candidate of which only the first request is measured. */
  OptionalDouble warmMs(double share) {
    List<Double> warm =
        runs.stream()
            .map(Run::warmMs)
            .filter(times -> !times.isEmpty())
            .map(times -> Quantiles.quantile(times, share))
            .toList();
    return warm.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(Quantiles.median(warm));
  }

  private double median(ToDoubleFunction<Run> value) {
    return Quantiles.median(runs.stream().map(value::applyAsDouble).toList());
  }
}
