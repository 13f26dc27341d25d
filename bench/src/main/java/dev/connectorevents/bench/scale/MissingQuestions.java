package dev.connectorevents.bench.scale;

import dev.connectorevents.bench.bill.Cost;
import dev.connectorevents.bench.bill.Cost.Assumptions;
import dev.connectorevents.bench.bill.Usage;
import dev.connectorevents.functions.findmissing.FindMissingRequest;
import java.util.stream.Stream;

/**
 * What the service needs for requests that ask for missing keys. A backfill asks once for the key
 * of each event, at a steady rate.
 *
 * @param event what one event uses
 * @param assumed the assumptions for single events: asking for missing keys takes about as long as
 *     sending an event
 */
record MissingQuestions(double keysPerSecond, Usage event, Assumptions assumed) {

  /**
   * The bytes of an item that one read unit covers: a consistent read takes a unit for each started
   * 4 KB.
   */
  private static final long READ_UNIT_BYTES = 4_096;

  /** Requests a second. */
  double requests() {
    return keysPerSecond / FindMissingRequest.MAX_KEYS;
  }

  /** Read units a second of the table. */
  double readUnits() {
    return keysPerSecond * Math.ceilDiv(event.itemBytes(), READ_UNIT_BYTES);
  }

  /** Dollars a month. */
  double bill() {
    double aMillionRequests =
        Stream.of(Cost.HTTP_API, Cost.LAMBDA, Cost.LOGS)
            .mapToDouble(cost -> cost.ofAMillion(event, assumed))
            .sum();
    return Demand.aMonth(requests() * aMillionRequests + Cost.reads(readUnits(), 0));
  }
}
