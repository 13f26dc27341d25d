package dev.connectorevents.bench.coldstart;

import dev.connectorevents.bench.MarkdownTable;
import dev.connectorevents.functions.findmissing.FindMissingRequest;
import java.util.List;

/**
 * The CPU time of a {@code findmissing} request for {@value #KEYS} keys, compared with that of a
 * {@code createevent} request.
 */
record MissingKeys(List<KindOfRequest> kinds) {

  /** The number of keys in a request. */
  static final int KEYS = FindMissingRequest.MAX_KEYS;

  /** The sizes of the stored events that {@code findmissing} reads. */
  static final List<Integer> EVENT_KILOBYTES = List.of(2, 32, 400);

  /**
   * The measurements of one kind of request.
   *
   * @param cpuMs the mean CPU time of a request in ms, one value for each turn
   */
  record KindOfRequest(String name, List<Double> cpuMs) {

    double median() {
      return Result.percentile(cpuMs, 50);
    }
  }

  @Override
  public String toString() {
    List<Double> createEvent = kinds.getFirst().cpuMs();
    return new MarkdownTable<>(kinds)
        .column("", KindOfRequest::name)
        .column("CPU ms", "%.2f", KindOfRequest::median)
        .column(
            "÷ " + Candidates.CREATE_EVENT,
            kind -> RoundRatios.of(kind.cpuMs(), createEvent).toString())
        .toString();
  }
}
