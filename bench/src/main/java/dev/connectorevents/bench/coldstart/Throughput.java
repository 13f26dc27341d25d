package dev.connectorevents.bench.coldstart;

import dev.connectorevents.bench.MarkdownTable;
import java.util.List;

/**
 * How many events a second one warm instance stores, one request after the other.
 *
 * @param single times of requests with one event, in ms
 * @param batch times of requests with {@value #EVENTS} events, in ms
 */
record Throughput(List<Double> single, List<Double> batch) {

  /** The number of events in a batch. */
  static final int EVENTS = 100;

  private record Row(String name, double ms, int events) {

    double perSecond() {
      return 1_000 / ms * events;
    }
  }

  @Override
  public String toString() {
    Row one = new Row("one event a request", Result.percentile(single, 50), 1);
    Row many = new Row(EVENTS + " events a request", Result.percentile(batch, 50), EVENTS);
    return new MarkdownTable<>(List.of(one, many))
        .column("", Row::name)
        .column("p50 ms", "%.2f", Row::ms)
        .column("events a second", "%,.0f", Row::perSecond)
        .column("÷ one", "%.1f", row -> row.perSecond() / one.perSecond())
        .toString();
  }
}
