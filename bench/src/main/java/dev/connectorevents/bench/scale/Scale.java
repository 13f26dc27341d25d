package dev.connectorevents.bench.scale;

import static dev.connectorevents.bench.MarkdownTable.figure;

import dev.connectorevents.bench.MarkdownTable;
import dev.connectorevents.bench.SampleRequest;
import dev.connectorevents.bench.bill.Bill;
import dev.connectorevents.bench.bill.Cost.Assumptions;
import dev.connectorevents.bench.bill.Usage;
import dev.connectorevents.eventformat.BatchRequest;
import dev.connectorevents.functions.findmissing.FindMissingRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the service needs at three rates, with single events and with batches.
 *
 * @param event what a usual event uses
 * @param large what events with files use, the smallest first
 */
public record Scale(Usage event, List<Usage> large, Assumptions single, Assumptions batches) {

  private static final List<Integer> RATES = List.of(100, 10_000, 100_000);
  private static final double MB = 1e6;

  /**
   * Measures an event with 2 KB of payload, a brand and an {@code Idempotency-Key}. Also measures
   * three larger events, each with a file.
   *
   * @param durationMs the billed duration of a warm request
   * @param batchMs the billed duration of a batch
   * @param logBytes the bytes of a request's log lines
   */
  public static Scale of(Path template, double durationMs, double batchMs, int logBytes)
      throws IOException {
    List<SampleRequest> samples =
        List.of(
            SampleRequest.withKey(),
            SampleRequest.withFile("a file of 300 KB", 300_000),
            SampleRequest.withFile("a file of 1 MB", 1_000_000),
            SampleRequest.withFile("a file of 4 MB", 4_000_000));
    Bill bill = Bill.of(samples, template, durationMs, batchMs, 1, logBytes);
    Assumptions single = bill.assumptions();
    List<Usage> usages = bill.usages();
    return new Scale(
        usages.getFirst(),
        usages.subList(1, usages.size()),
        single,
        single.inBatches(BatchRequest.MAX_EVENTS, batchMs));
  }

  /** The last part of {@code docs/scale.md}, in Markdown. */
  public String page() {
    return """
    Events with 2 KB of payload and an `Idempotency-Key`: %s write units of the table and %s of each index. A warm
    request takes %s ms, as [measured](performance.md) with a DynamoDB that answers in 5 ms. A batch of %d takes %s ms
    and a start %s s: these are assumed. So an instance stores %s events a second one by one, or %s in batches. %d
    connectors send events.

    ## What each rate takes

    Dollars are for us-east-1, on demand, without volume discounts, at the prices of [the bill](bill.md). `$ a month`
    stores the events of one month. By default, events are kept for ever: then every month adds the last column to
    the bill of the next.

    %s
    ## What large events add

    Ten large events a second, with a file in base64, which hardly gets smaller:

    %s
    ## What questions for missing keys add

    Each event's key is asked for once, %d keys at a time. `MissingPerSecond` has to allow as many requests:

    %s
    ## Which limit comes first

    %s
    ## How many lanes a rate takes

    %s\
    """
        .formatted(
            figure("%.0f", event.tableUnits()),
            figure("%.0f", event.indexUnits().values().iterator().next()),
            figure("%.0f", single.durationMs()),
            batches.events(),
            figure("%.0f", batches.durationMs()),
            figure("%.1f", ScaleUp.START_SECONDS),
            figure("%,.0f", single.eventsPerSecond()),
            figure("%,.0f", batches.eventsPerSecond()),
            Demand.CONNECTORS,
            demands(),
            largeEvents(),
            FindMissingRequest.MAX_KEYS,
            questions(),
            quotas(),
            heat());
  }

  private Demand demand(double eventsPerSecond, Assumptions assumed) {
    return new Demand(eventsPerSecond, event, assumed);
  }

  private MarkdownTable<Demand> demands() {
    List<Demand> demands =
        RATES.stream()
            .flatMap(rate -> Stream.of(demand(rate, single), demand(rate, batches)))
            .toList();
    return new MarkdownTable<>(demands)
        .column(
            "events a second",
            demand ->
                figure("%,.0f", demand.eventsPerSecond())
                    + (demand.assumed().events() == 1 ? "" : ", in batches"))
        .column("requests a second", "%,.0f", Demand::requests)
        .column("instances", "%,.0f", Demand::mostInstances)
        .column("table units a second", "%,.0f", Demand::tableUnits)
        .column("user reads a second", "%,.1f", Demand::userReads)
        .column("key reads a second", "%,.2f", Demand::secretReads)
        .column("log MB a second", "%,.2f", demand -> demand.logBytes() / MB)
        .column("started at once: seconds until Lambda takes all", "%,.0f", ScaleUp::lambdaSeconds)
        .column("requests refused until then", "%,.0f", ScaleUp::refused)
        .column("minutes until a new table takes all", "%,.0f", ScaleUp::tableMinutes)
        .column("$ a month", "%,.0f", Demand::bill)
        .column("$ more for each month kept", "%,.0f", Demand::storage);
  }

  private MarkdownTable<Demand> largeEvents() {
    return new MarkdownTable<>(large.stream().map(it -> new Demand(10, it, single)).toList())
        .column("body, bytes", "%,.0f", demand -> demand.event().bodyBytes())
        .column("stored, bytes", "%,.0f", demand -> demand.event().itemBytes())
        .column("items", "%,.0f", demand -> demand.event().items())
        .column("table units of one", "%,.0f", demand -> demand.event().tableUnits())
        .column("table units a second", "%,.0f", Demand::tableUnits)
        .column("$ a month", "%,.0f", Demand::bill)
        .column("$ more for each month kept", "%,.0f", Demand::storage);
  }

  private MarkdownTable<MissingQuestions> questions() {
    return new MarkdownTable<>(
            RATES.stream().map(rate -> new MissingQuestions(rate, event, single)).toList())
        .column("events a second", "%,.0f", MissingQuestions::keysPerSecond)
        .column("requests a second", "%,.0f", MissingQuestions::requests)
        .column("table read units a second", "%,.0f", MissingQuestions::readUnits)
        .column("$ a month", "%,.0f", MissingQuestions::bill);
  }

  private MarkdownTable<Quota> quotas() {
    Demand alone = demand(1, single);
    Demand inBatches = demand(1, batches);
    List<Quota> inOrder =
        Stream.of(Quota.values())
            .sorted(Comparator.comparingDouble(quota -> quota.reachedAt(alone)))
            .toList();
    return new MarkdownTable<>(inOrder)
        .column("limit", quota -> "[" + quota.what + "](" + quota.source + ")")
        .column("is", "%,.0f", quota -> quota.limit)
        .column("reached at events a second", quota -> rate(quota.reachedAt(alone)))
        .column("in batches", quota -> rate(quota.reachedAt(inBatches)))
        .column("what raises it", quota -> quota.raisedBy);
  }

  private static String rate(double eventsPerSecond) {
    return eventsPerSecond <= Quota.HIGHEST_RATE ? figure("%,.0f", eventsPerSecond) : "never";
  }

  private MarkdownTable<Demand> heat() {
    List<Demand> demands =
        Stream.of(100, 5_000, 8_000, 10_000, 12_000, 20_000, 50_000, 100_000)
            .map(rate -> demand(rate, single))
            .toList();
    return new MarkdownTable<>(demands)
        .column("events a second", demand -> figure("%,.0f", demand.eventsPerSecond()))
        .column(
            "units a second of a lane", "%,.0f", demand -> demand.indexUnits() / LaneHeat.lanes())
        .column(
            "throttled in an hour, %",
            "%.2f", demand -> 100 * LaneHeat.throttled(demand.indexUnits(), LaneHeat.lanes()))
        .column("lanes needed", "%,.0f", demand -> LaneHeat.enough(demand.indexUnits()));
  }
}
