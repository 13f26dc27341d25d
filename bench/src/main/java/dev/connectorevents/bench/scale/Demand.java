package dev.connectorevents.bench.scale;

import dev.connectorevents.bench.bill.Cost;
import dev.connectorevents.bench.bill.Cost.Assumptions;
import dev.connectorevents.bench.bill.Usage;
import dev.connectorevents.functions.wiring.Wiring;
import dev.connectorevents.token.KeyRing;

/**
 * A steady rate of events, and what it takes.
 *
 * @param events a second
 * @param event what one of them uses
 * @param assumed how they are sent
 */
record Demand(double events, Usage event, Assumptions assumed) {

  /** Users whose connectors send events. */
  static final int CONNECTORS = 100;

  private static final double SECONDS_A_MONTH = 30.0 * 24 * 3_600;

  /** The same events at another rate. */
  Demand at(double rate) {
    return new Demand(rate, event, assumed);
  }

  /** Requests a second. */
  double requests() {
    return events / assumed.events();
  }

  /** Requests that run at the same time (Little's law). */
  double instances() {
    return requests() * assumed.durationMs() / 1e3;
  }

  /**
   * Instances in nearly every moment: the requests arrive at random, so their number is Poisson.
   */
  double mostInstances() {
    return Math.ceil(instances() + 4 * Math.sqrt(instances()));
  }

  /** Write units a second of the table. */
  double tableUnits() {
    return events * event.tableUnits();
  }

  /** Write units a second of the index that takes the most. */
  double indexUnits() {
    return events
        * event.indexUnits().values().stream().mapToDouble(units -> units).max().orElse(0);
  }

  /** Reads of users a second: each instance reads each user again when its cache is old. */
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

  /** Dollars a month, which store only the events of that month. */
  double bill() {
    double withoutReads = Cost.total(event, assumed) - Cost.READS.ofAMillion(event, assumed);
    return aMonth(withoutReads * events + Cost.reads(userReads(), secretReads()));
  }

  /** Dollars that each further month of storage costs for the events of one month. */
  double storage() {
    return aMonth(Cost.STORAGE.ofAMillion(event, assumed) * events);
  }

  private static double aMonth(double dollarsInAMillionSeconds) {
    return dollarsInAMillionSeconds * SECONDS_A_MONTH / 1e6;
  }
}
