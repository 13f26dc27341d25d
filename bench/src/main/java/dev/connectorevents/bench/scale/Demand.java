package dev.connectorevents.bench.scale;

import dev.connectorevents.bench.bill.Cost;
import dev.connectorevents.bench.bill.Cost.Assumptions;
import dev.connectorevents.bench.bill.Usage;
import dev.connectorevents.functions.wiring.Wiring;
import dev.connectorevents.token.KeyRing;

/**
 * What the service needs for a steady rate of events.
 *
 * @param event what one event uses
 * @param assumed the assumptions about the requests that send the events
 */
record Demand(double eventsPerSecond, Usage event, Assumptions assumed) {

  /** The number of connectors that send events, each with its own user. */
  static final int CONNECTORS = 100;

  private static final double SECONDS_A_MONTH = 30.0 * 24 * 3_600;

  /** The demand of the same events at another rate, in events a second. */
  Demand at(double rate) {
    return new Demand(rate, event, assumed);
  }

  /** Requests a second. */
  double requests() {
    return eventsPerSecond / assumed.events();
  }

  /**
   * The mean number of requests that run at the same time (Little's law). Each request needs an
   * instance.
   */
  double instances() {
    return requests() * assumed.durationMs() / 1e3;
  }

  /**
   * A number of instances that is nearly always enough. Requests arrive at random, so the number of
   * busy instances has a Poisson distribution.
   */
  double mostInstances() {
    return Math.ceil(instances() + 4 * Math.sqrt(instances()));
  }

  /** Write units a second of the table. */
  double tableUnits() {
    return eventsPerSecond * event.tableUnits();
  }

  /** Write units a second of the index that uses the most units. */
  double indexUnits() {
    return eventsPerSecond
        * event.indexUnits().values().stream().mapToDouble(units -> units).max().orElse(0);
  }

  /**
   * Reads of users a second. An instance reads a user again when the cached user expires, but at
   * most once a request.
   */
  double userReads() {
    return Math.min(requests(), mostInstances() * CONNECTORS / Wiring.USER_AGE.toSeconds());
  }

  /** Reads of the signing key a second. */
  double secretReads() {
    return Math.min(requests(), mostInstances() / KeyRing.MAX_AGE.toSeconds());
  }

  /** Bytes of log lines a second. */
  double logBytes() {
    return requests() * assumed.logBytes();
  }

  /** Dollars a month, with storage for the events of this month only. */
  double bill() {
    double withoutReads = Cost.total(event, assumed) - Cost.READS.ofAMillion(event, assumed);
    return aMonth(withoutReads * eventsPerSecond + Cost.reads(userReads(), secretReads()));
  }

  /** Dollars for storing one month's events for another month. */
  double storage() {
    return aMonth(Cost.STORAGE.ofAMillion(event, assumed) * eventsPerSecond);
  }

  /** The dollars for a month, given the dollars for a million seconds. */
  static double aMonth(double dollarsInAMillionSeconds) {
    return dollarsInAMillionSeconds * SECONDS_A_MONTH / 1e6;
  }
}
