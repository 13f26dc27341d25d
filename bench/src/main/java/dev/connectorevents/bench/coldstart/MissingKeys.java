package dev.connectorevents.bench.coldstart;

import dev.connectorevents.bench.MarkdownTable;
import java.util.List;

/**
 * What requests of {@code findmissing} with {@value #KEYS} keys cost, beside {@code createevent}.
 */
record MissingKeys(List<KindOfRequest> kinds) {

  /** The number of keys in a request. */
  static final int KEYS = 100;

  /** The sizes of the stored events. */
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
    double createEvent = kinds.getFirst().median();
    return new MarkdownTable<>(kinds)
        .column("", KindOfRequest::name)
        .column("CPU ms", "%.2f", KindOfRequest::median)
        .column("÷ " + Candidates.CREATE_EVENT, "%.1f", kind -> kind.median() / createEvent)
        .toString();
  }
}
