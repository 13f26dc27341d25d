package dev.connectorevents.bench.coldstart;

import java.util.Collection;

/** Middle and tail of what was measured several times. */
final class Quantiles {

  private Quantiles() {}

  /** The middle one; between the two in the middle, where there are two. */
  static double median(Collection<Double> values) {
    double[] sorted = sorted(values);
    return (sorted[sorted.length / 2] + sorted[(sorted.length - 1) / 2]) / 2;
  }

  /**
   * The least value that this share of all is not above.
   *
   * @param share from 0 to 1
   */
  static double quantile(Collection<Double> values, double share) {
    double[] sorted = sorted(values);
    int rank = (int) Math.ceil(share * sorted.length);
    return sorted[Math.max(rank, 1) - 1];
  }

  private static double[] sorted(Collection<Double> values) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException("nothing was measured");
    }
    return values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
  }
}
