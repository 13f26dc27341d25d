package dev.connectorevents.bench.coldstart;

import dev.connectorevents.bench.coldstart.Candidates.Candidate;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.apache.commons.math3.stat.StatUtils;

/**
 * What was measured of a candidate: a row of the table.
 *
 * @param warmTimes in ms; none, if it is not measured by them
 */
record Result(Candidate candidate, List<Run> runs, List<Double> warmTimes, List<String> classes) {

  /** One start: until the process asks for its first event, and from there to its answer. */
  record Run(double initMs, double firstMs, double peakMib) {}

  double firstMs() {
    return median(Run::firstMs);
  }

  /** NaN after a snapshot: a start is no part of a request then. */
  double coldMs() {
    return candidate.isRestored() ? Double.NaN : median(run -> run.initMs + run.firstMs);
  }

  double warmMs() {
    return percentile(warmTimes, 50);
  }

  double median(ToDoubleFunction<Run> value) {
    return percentile(runs.stream().map(value::applyAsDouble).toList(), 50);
  }

  /** NaN of nothing. */
  static double percentile(List<Double> values, double percent) {
    return StatUtils.percentile(values.stream().mapToDouble(each -> each).toArray(), percent);
  }
}
