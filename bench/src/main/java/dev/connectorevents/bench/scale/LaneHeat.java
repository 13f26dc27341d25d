package dev.connectorevents.bench.scale;

import dev.connectorevents.dynamodb.events.IndexKeys;
import java.util.Random;

/**
 * The load on the lanes of the index that has all events. A lane is one partition key. It gets at
 * most the write units of one partition.
 */
final class LaneHeat {

  /** The seconds for which a partition keeps the write units that it did not use. */
  private static final int BURST_SECONDS = 300;

  private static final int SECONDS = 3_600;

  private LaneHeat() {}

  static int lanes() {
    return IndexKeys.LANES;
  }

  /**
   * Simulates an hour in which events arrive at random.
   *
   * @param units the write units a second for all lanes together
   * @return the share of the units that DynamoDB throttles
   */
  static double throttled(double units, int lanes) {
    Random random = new Random(1);
    double refused = 0;
    double all = 0;
    double limit = Quota.PARTITION.limit;
    for (int lane = 0; lane < lanes; lane++) {
      double saved = BURST_SECONDS * limit;
      for (int second = 0; second < SECONDS; second++) {
        double wanted = poisson(units / lanes, random);
        double taken = Math.min(wanted, saved + limit);
        saved = Math.min(BURST_SECONDS * limit, saved + limit - taken);
        refused += wanted - taken;
        all += wanted;
      }
    }
    return refused / all;
  }

  /**
   * A number of lanes with which DynamoDB throttles nothing in an hour. Tries the service's own
   * number first, and doubles it until it is enough.
   *
   * @param units the write units a second for all lanes together
   */
  static int enough(double units) {
    int lanes = lanes();
    while (throttled(units, lanes) > 0) {
      lanes *= 2;
    }
    return lanes;
  }

  /** Approximates the Poisson distribution by a normal distribution, since the means are large. */
  private static double poisson(double mean, Random random) {
    return Math.max(0, mean + Math.sqrt(mean) * random.nextGaussian());
  }
}
