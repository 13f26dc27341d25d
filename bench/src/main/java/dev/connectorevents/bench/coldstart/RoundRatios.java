package dev.connectorevents.bench.coldstart;

import static dev.connectorevents.bench.MarkdownTable.figure;

import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The ratios of two measurements, one ratio for each round. The bench takes both measurements in
 * the same round, so other load on the machine changes their ratio little.
 */
record RoundRatios(List<Double> ratios) {

  /** The ratios of one measurement to another, for the rounds that have both. */
  static RoundRatios of(List<Double> one, List<Double> other) {
    return new RoundRatios(
        IntStream.range(0, Math.min(one.size(), other.size()))
            .mapToObj(round -> one.get(round) / other.get(round))
            .filter(ratio -> !ratio.isNaN())
            .toList());
  }

  /** The median and the range; a dash if there are no ratios. */
  @Override
  public String toString() {
    return ratios.isEmpty()
        ? figure("", Double.NaN)
        : figure("%.2f", Result.percentile(ratios, 50))
            + figure(" (%.2f", Collections.min(ratios))
            + figure(" to %.2f)", Collections.max(ratios));
  }
}
