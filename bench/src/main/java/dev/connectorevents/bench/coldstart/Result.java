package dev.connectorevents.bench.coldstart;

import dev.connectorevents.bench.coldstart.Candidates.Candidate;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.apache.commons.math3.stat.StatUtils;

/**
 * The measurements of a candidate: a row of the table.
 *
 * @param warmTimes times of warm requests in ms; empty if the bench does not measure them
 */
record Result(Candidate candidate, List<Run> runs, List<Double> warmTimes, List<String> classes) {

  /**
   * One start of a candidate.
   *
   * @param initMs the time until the process asks for its first event
   * @param firstMs the time of the first request
   * @param peakMib the peak of the process's memory
   */
  record Run(double initMs, double firstMs, double peakMib) {}

  double firstMs() {
    return median(Run::firstMs);
  }

  /**
   * The median time from a start to its first answer, in ms. NaN with a snapshot: then no request
   * waits for the start.
   */
  double coldMs() {
    return candidate.isRestored() ? Double.NaN : median(run -> run.initMs + run.firstMs);
  }

  double warmMs() {
    return percentile(warmTimes, 50);
  }

  double median(ToDoubleFunction<Run> value) {
    return percentile(runs.stream().map(value::applyAsDouble).toList(), 50);
  }

  /** The percentile of the values; NaN if there are none. */
  static double percentile(List<Double> values, double percent) {
    return StatUtils.percentile(values.stream().mapToDouble(each -> each).toArray(), percent);
  }
}
