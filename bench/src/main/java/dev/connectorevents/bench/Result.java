package dev.connectorevents.bench;

import dev.connectorevents.bench.Candidates.Candidate;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.apache.commons.math3.stat.StatUtils;

/**
 * The measurements of a candidate: a row of the report's first table.
 *
 * @param runs the starts, one for each round
 * @param warmTurns the times of warm requests in ms, turn by turn; empty if the bench does not
 *     measure them
 */
record Result(Candidate candidate, List<Run> runs, List<List<Double>> warmTurns) {

  /**
   * One start of a candidate.
   *
   * @param initMs the time until the process asks for its first event, without the restore
   * @param firstMs the time of the first request; with a snapshot, the restore and the first
   *     request
   * @param peakMib the peak of the process's resident memory
   */
  record Run(double initMs, double firstMs, double peakMib) {}

  String name() {
    return candidate.name();
  }

  /**
   * The median time from a start to its first answer, in ms. NaN for a candidate with a snapshot:
   * no request waits for its start.
   */
  double coldMs() {
    return percentile(colds(), 50);
  }

  double warmMs(double percent) {
    return percentile(warmTurns.stream().flatMap(List::stream).toList(), percent);
  }

  /** The time of the first request in each round, in ms. */
  List<Double> firsts() {
    return each(Run::firstMs);
  }

  /** The time from each start to its first answer, in ms; NaN with a snapshot. */
  List<Double> colds() {
    return each(run -> candidate.isRestored() ? Double.NaN : run.initMs + run.firstMs);
  }

  /** The median time of each turn's warm requests, in ms. */
  List<Double> warms() {
    return warmTurns.stream().map(times -> percentile(times, 50)).toList();
  }

  double median(ToDoubleFunction<Run> value) {
    return percentile(each(value), 50);
  }

  private List<Double> each(ToDoubleFunction<Run> value) {
    return runs.stream().map(value::applyAsDouble).toList();
  }

  /** The percentile of the values; NaN if there are none. */
  static double percentile(List<Double> values, double percent) {
    return StatUtils.percentile(values.stream().mapToDouble(each -> each).toArray(), percent);
  }
}
