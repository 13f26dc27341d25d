package dev.connectorevents.bench.scale;

/**
 * What happens when traffic starts at its full rate. Lambda starts a limited number of instances a
 * second, and a new table's capacity grows with its peak.
 */
final class ScaleUp {

  private static final double INSTANCES_A_SECOND = 100;
  private static final double REQUESTS_A_SECOND_MORE = 1_000;
  private static final double AT_ONCE_INSTANCES = 1_000;
  private static final double AT_ONCE_REQUESTS = 10_000;

  /** The assumed seconds for a restore and the first request. */
  static final double START_SECONDS = 0.5;

  private static final double TABLE_GROWS_IN_MINUTES = 30;

  private ScaleUp() {}

  /**
   * Seconds until Lambda accepts all requests, if the account's quotas allow them.
   *
   * @see <a href="https://docs.aws.amazon.com/lambda/latest/dg/scaling-behavior.html">Lambda
   *     scaling behavior</a>
   */
  static double lambdaSeconds(Demand demand) {
    double byInstances = (demand.mostInstances() - AT_ONCE_INSTANCES) / INSTANCES_A_SECOND;
    double byRequests = (demand.requests() - AT_ONCE_REQUESTS) / REQUESTS_A_SECOND_MORE;
    return Math.max(0, Math.max(byInstances, byRequests));
  }

  /**
   * The number of requests that Lambda refuses until it accepts all, if clients do not retry. While
   * the first instances start, each request needs its own instance.
   */
  static double refused(Demand demand) {
    double arriving = demand.requests() * START_SECONDS;
    double allowed = AT_ONCE_INSTANCES + INSTANCES_A_SECOND * START_SECONDS;
    double tooMany = Math.max(0, demand.requests() - AT_ONCE_REQUESTS);
    return Math.max(0, arriving - allowed) + tooMany * lambdaSeconds(demand) / 2;
  }

  /**
   * Minutes until a new table accepts all writes: its capacity doubles every half hour.
   *
   * @see <a
   *     href="https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html">On-demand
   *     capacity mode</a>
   */
  static double tableMinutes(Demand demand) {
    double doublings = Math.log(Quota.NEW_TABLE.share(demand)) / Math.log(2);
    return TABLE_GROWS_IN_MINUTES * Math.max(0, Math.ceil(doublings));
  }
}
