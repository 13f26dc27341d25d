package dev.connectorevents.bench.bill;

import static dev.connectorevents.bench.MarkdownTable.figure;

import dev.connectorevents.bench.MarkdownTable;
import dev.connectorevents.bench.SampleRequest;
import dev.connectorevents.bench.bill.Cost.Assumptions;
import dev.connectorevents.bench.bill.Meter.Metered;
import dev.connectorevents.eventformat.BatchRequest;
import dev.connectorevents.functions.wiring.Wiring;
import dev.connectorevents.token.KeyRing;
import java.io.IOException;
import java.nio.file.Path;
import java.text.NumberFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a million events cost, with the assumptions and the prices behind the figures. */
public record Bill(List<Metered> events, Assumptions assumptions, double batchMs) {

  private static final long MB = 1_000_000;

  /** About the largest JSON body that fits into Lambda's 6 MB for an event, in bytes. */
  private static final long BATCH_BYTES = 5 * MB;

  private static final NumberFormat NUMBER = NumberFormat.getInstance(Locale.ROOT);

  /**
   * Stores each sample with the whole service, measures what DynamoDB uses for it, and returns the
   * bill. Leaves out each sample that the service refuses, and names it on standard error.
   *
   * @param durationMs the billed duration of a warm request
   * @param batchMs the billed duration of a batch
   * @param rate requests a second to each warm instance
   * @param logBytes the bytes of a request's log lines
   */
  public static Bill of(
      List<SampleRequest> samples,
      Path template,
      double durationMs,
      double batchMs,
      double rate,
      int logBytes)
      throws IOException {
    List<Metered> events = new ArrayList<>();
    try (Meter meter = Meter.start(template)) {
      for (SampleRequest sample : samples) {
        try {
          events.add(meter.measure(sample));
        } catch (IllegalArgumentException e) {
          System.err.println(sample.name() + " is not stored: " + e.getMessage());
        }
      }
      Assumptions single = new Assumptions(meter.writer.memoryMb(), durationMs, 1, rate, logBytes);
      return new Bill(events, single, batchMs);
    }
  }

  /** What each stored sample used. */
  public List<Usage> usages() {
    return events.stream().map(Metered::usage).toList();
  }

  @Override
  public String toString() {
    return """
    A million events of one kind, in US dollars (us-east-1, on demand, without free tiers).

    %s
    Assumed: %s ms billed for a warm request, and %s ms for a batch, at %d MB; requests a second in each
    warm function: %s, and it reads a user at most every %d s and the secret every %d minutes; %d bytes of
    log lines a request; a reader of the stream other than Lambda, which takes full batches. A batch has
    %d events, or as many as fit into %d MB.

    %s\
    """
        .formatted(
            events.isEmpty() ? "Nothing was stored.\n" : table(),
            NUMBER.format(assumptions.durationMs()),
            NUMBER.format(batchMs),
            assumptions.memoryMb(),
            NUMBER.format(assumptions.rate()),
            Wiring.USER_AGE.toSeconds(),
            KeyRing.MAX_AGE.toMinutes(),
            assumptions.logBytes(),
            BatchRequest.MAX_EVENTS,
            BATCH_BYTES / MB,
            prices());
  }

  private MarkdownTable<Metered> table() {
    String indexes = String.join(" + ", events.getFirst().usage().indexUnits().keySet());
    MarkdownTable<Metered> table =
        new MarkdownTable<>(events)
            .column("payload", event -> event.sample().name())
            .column("bytes", "%,.0f", event -> event.sample().payloadBytes())
            .column("stored", "%,.0f", event -> event.usage().itemBytes())
            .column("table units", "%,.0f", event -> event.usage().tableUnits())
            .column("index units: " + indexes, event -> event.usage().indexes());
    for (Cost cost : Cost.values()) {
      table.column(cost.title, "%,.2f", event -> cost.ofAMillion(event.usage(), assumptions));
    }
    return table
        .column("**total**", "**%,.2f**", event -> Cost.total(event.usage(), assumptions))
        .column("**in batches**", "**%,.2f**", event -> Cost.total(event.usage(), inBatches(event)))
        .column("total as plain text", "%,.2f", event -> Cost.total(event.plain(), assumptions));
  }

  private Assumptions inBatches(Metered event) {
    long fitting = BATCH_BYTES / event.usage().bodyBytes();
    int size = (int) Math.min(BatchRequest.MAX_EVENTS, fitting);
    return assumptions.inBatches(size, batchMs);
  }

  private static MarkdownTable<Price> prices() {
    return new MarkdownTable<>(List.of(Price.values()))
        .column("unit", price -> price.what)
        .column("$", price -> figure("%.4f", price.dollars).replaceFirst("0{1,2}$", ""))
        .column("per", price -> price.per)
        .column("source", price -> "<" + price.source + ">");
  }
}
