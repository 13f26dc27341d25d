package dev.connectorevents.bench.bill;

import java.util.List;

/** The whole bill: what a million events cost, under which assumptions and at which prices. */
record BillText(List<Metered> events, Assumptions assumptions) {

  @Override
  public String toString() {
    return """
    A million events of one kind, in US dollars (us-east-1, on demand, without free tiers). *Stored* is
    the size of an event's items in bytes, from which its table units follow. Each is sent with its
    `event_type`, its `payload` with `_meta`, and a `connector_installation_id`; a row that is named for
    more has that, too.

    %s
    Assumed: %s ms billed for a warm request, at %d MB; requests a second in each warm function: %s, and
    it reads a user at most every 5 s and the secret every 5 minutes; %d bytes of log lines a request;
    a reader of the stream other than Lambda, which takes full batches.

    %s\
    """
        .formatted(
            events.isEmpty() ? "Nothing was stored.\n" : new BillTable(events, assumptions),
            number(assumptions.durationMs()),
            assumptions.memoryMb(),
            number(assumptions.eventsPerSecond()),
            assumptions.logBytes(),
            PriceTable.text());
  }

  private static String number(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }
}
