package dev.connectorevents.bench.coldstart;

import dev.connectorevents.bench.MarkdownTable;
import java.util.List;

/** How many events one warm instance stores in a second, with one request after the other. */
record Throughput(List<KindOfRequest> kinds) {

  /** The number of events in a batch. */
  static final int EVENTS = 100;

  /**
   * The measurements of one kind of request.
   *
   * @param events the number of events in a request
   * @param ms the median time of a request, one value for each turn
   * @param cpuMs the mean CPU time of a request, one value for each turn
   */
  record KindOfRequest(String name, int events, List<Double> ms, List<Double> cpuMs) {

    double p50() {
      return Result.percentile(ms, 50);
    }

    double perSecond() {
      return 1_000 / p50() * events;
    }

    /** The events that the instance stores in a millisecond, one value for each turn. */
    List<Double> eventsPerMs() {
      return ms.stream().map(each -> events / each).toList();
    }

    /** The mean CPU time of an event, one value for each turn. */
    List<Double> cpuMsPerEvent() {
      return cpuMs.stream().map(each -> each / events).toList();
    }
  }

  @Override
  public String toString() {
    KindOfRequest one = kinds.getFirst();
    return new MarkdownTable<>(kinds)
        .column("", KindOfRequest::name)
        .column("p50 ms", "%.2f", KindOfRequest::p50)
        .column("events a second", "%,.0f", KindOfRequest::perSecond)
        .column("÷ one", kind -> RoundRatios.of(kind.eventsPerMs(), one.eventsPerMs()).toString())
        .column("CPU ms an event", "%.3f", kind -> Result.percentile(kind.cpuMsPerEvent(), 50))
        .column(
            "÷ one", kind -> RoundRatios.of(kind.cpuMsPerEvent(), one.cpuMsPerEvent()).toString())
        .toString();
  }
}
