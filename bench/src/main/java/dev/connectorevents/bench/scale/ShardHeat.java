package dev.connectorevents.bench.scale;

import dev.connectorevents.dynamodb.IndexKeys;
import java.util.Random;

/**
 * One brand or type takes most events. Its entries in an index have as many partition keys as there
 * are shards, and each key gets at most what one partition takes.
 */
final class ShardHeat {

  /** The part of all events. */
  static final double SHARE = 0.8;

  /** DynamoDB lets a partition use later what it did not use in the last five minutes. */
  private static final int BURST_SECONDS = 300;

  private static final int SECONDS = 3_600;

  private ShardHeat() {}

  static int shards() {
    return IndexKeys.SHARDS;
  }

  /**
   * Simulates an hour, in which events arrive at random.
   *
   * @param units a second that all shards take together
   * @return the part of the units that was throttled
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

  /** The fewest shards, doubled from today's, that throttle nothing in that hour. */
  static int enough(double units) {
    int shards = shards();
    while (throttled(units, shards) > 0) {
      shards *= 2;
    }
    return shards;
  }

  /** As a normal distribution: the means are large. */
  private static double poisson(double mean, Random random) {
    return Math.max(0, mean + Math.sqrt(mean) * random.nextGaussian());
  }
}
