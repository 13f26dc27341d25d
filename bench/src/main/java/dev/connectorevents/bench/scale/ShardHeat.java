package dev.connectorevents.bench.scale;

import dev.connectorevents.dynamodb.events.IndexKeys;
import java.util.Random;

/**
 * The load on the shards of an index when one brand or type has most events. A shard is one
 * partition key. It gets at most the write units of one partition.
 */
final class ShardHeat {

  /** The share of all events that belongs to this brand or type. */
  static final double SHARE = 0.8;

  /** The seconds for which a partition keeps the write units that it did not use. */
  private static final int BURST_SECONDS = 300;

  private static final int SECONDS = 3_600;

  private ShardHeat() {}

  static int shards() {
    return IndexKeys.LANES;
  }

  /**
   * Simulates an hour in which events arrive at random.
   *
   * @param units the write units a second for all shards together
   * @return the share of the units that DynamoDB throttles
   */
  static double throttled(double units, int shards) {
    Random random = new Random(1);
    double refused = 0;
    double all = 0;
    double limit = Quota.PARTITION.limit;
    for (int shard = 0; shard < shards; shard++) {
      double saved = BURST_SECONDS * limit;
      for (int second = 0; second < SECONDS; second++) {
        double wanted = poisson(units / shards, random);
        double taken = Math.min(wanted, saved + limit);
        saved = Math.min(BURST_SECONDS * limit, saved + limit - taken);
        refused += wanted - taken;
        all += wanted;
      }
    }
    return refused / all;
  }

  /**
   * A number of shards with which DynamoDB throttles nothing in an hour. Tries the service's own
   * number first, and doubles it until it is enough.
   *
   * @param units the write units a second for all shards together
   */
  static int enough(double units) {
    int shards = shards();
    while (throttled(units, shards) > 0) {
      shards *= 2;
    }
    return shards;
  }

  /** Approximates the Poisson distribution by a normal distribution, since the means are large. */
  private static double poisson(double mean, Random random) {
    return Math.max(0, mean + Math.sqrt(mean) * random.nextGaussian());
  }
}
