package dev.connectorevents.bench.scale;

import java.util.function.ToDoubleFunction;

/** AWS's default limits in us-east-1 that a growing rate of events can reach. */
enum Quota {
  PARTITION(
      1_000,
      "DynamoDB, write units a second of one partition: all events, in "
          + LaneHeat.lanes()
          + " lanes",
      "nothing: more lanes spread the load",
      "amazondynamodb/latest/developerguide/bp-partition-key-design.html",
      demand -> demand.indexUnits() / LaneHeat.lanes()),
  NEW_TABLE(
      4_000,
      "DynamoDB, write units a second of a new table",
      "DynamoDB itself, to twice the previous peak within 30 minutes; or warm throughput",
      "amazondynamodb/latest/developerguide/on-demand-capacity-mode.html",
      Demand::tableUnits),
  TABLE(
      40_000,
      "DynamoDB, write units a second of a table",
      "a quota",
      "amazondynamodb/latest/developerguide/ServiceQuotas.html",
      Demand::tableUnits),
  /** A read of a user takes one unit: it is consistent, and the item has less than 4 KB. */
  NEW_TABLE_READS(
      12_000,
      "DynamoDB, read units a second of a new table: users",
      NEW_TABLE.raisedBy,
      "amazondynamodb/latest/developerguide/on-demand-capacity-mode.html",
      Demand::userReads),
  TABLE_READS(
      40_000,
      "DynamoDB, read units a second of a table: users",
      "a quota",
      "amazondynamodb/latest/developerguide/ServiceQuotas.html",
      Demand::userReads),
  HTTP_API(
      10_000,
      "API Gateway, requests a second of the account",
      "a quota, and `MaxValue` of `EventsPerSecond`",
      "apigateway/latest/developerguide/limits.html",
      Demand::requests),
  LAMBDA_INSTANCES(
      1_000,
      "Lambda, instances at the same time",
      "a quota",
      "lambda/latest/dg/gettingstarted-limits.html",
      Demand::mostInstances),
  LAMBDA_REQUESTS(
      10_000,
      "Lambda, requests a second: ten for each instance of that quota",
      "the same quota",
      "lambda/latest/dg/lambda-concurrency.html",
      Demand::requests),
  SECRET(
      10_000,
      "Secrets Manager, reads a second",
      "nothing",
      "secretsmanager/latest/userguide/reference_limits.html",
      Demand::secretReads);

  /** The highest rate that {@link #reachedAt} tries, in events a second. */
  static final double HIGHEST_RATE = 1e8;

  final double limit;
  final String what;

  /** What raises the limit. */
  final String raisedBy;

  final String source;

  @SuppressWarnings("ImmutableEnumChecker") // the lambdas capture nothing
  private final ToDoubleFunction<Demand> use;

  Quota(double limit, String what, String raisedBy, String page, ToDoubleFunction<Demand> use) {
    this.limit = limit;
    this.what = what;
    this.raisedBy = raisedBy;
    this.source = "https://docs.aws.amazon.com/" + page;
    this.use = use;
  }

  /** The share of the limit that the demand uses; 1 is all of it. */
  double share(Demand demand) {
    return use.applyAsDouble(demand) / limit;
  }

  /**
   * The rate that reaches the limit, in events a second; infinite if it exceeds {@link
   * #HIGHEST_RATE}.
   */
  double reachedAt(Demand demand) {
    double low = 0;
    double high = HIGHEST_RATE;
    while (high - low > 0.001) {
      double middle = (low + high) / 2;
      boolean fits = share(demand.at(middle)) <= 1;
      low = fits ? middle : low;
      high = fits ? high : middle;
    }
    return share(demand.at(HIGHEST_RATE)) <= 1 ? Double.POSITIVE_INFINITY : high;
  }
}
