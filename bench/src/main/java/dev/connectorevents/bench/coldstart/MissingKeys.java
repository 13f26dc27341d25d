package dev.connectorevents.bench.coldstart;

import dev.connectorevents.bench.MarkdownTable;
import java.util.List;

/**
 * What requests of {@code findmissing} with {@value #KEYS} keys cost, beside {@code createevent}.
 */
record MissingKeys(List<Row> rows) {

  /** The number of keys in a request. */
  static final int KEYS = 100;

  /** The sizes of the stored events. */
  static final List<Integer> EVENT_KILOBYTES = List.of(2, 32, 400);

  /**
   * Requests of one kind.
   *
   * @param cpuMs the CPU time of one request, in each turn
   */
  record Row(String name, List<Double> cpuMs) {

    double median() {
      return Result.percentile(cpuMs, 50);
    }
  }

  @Override
  public String toString() {
    double createEvent = rows.getFirst().median();
    return new MarkdownTable<>(rows)
        .column("", Row::name)
        .column("CPU ms", "%.2f", Row::median)
        .column("÷ " + Candidates.CREATE_EVENT, "%.1f", row -> row.median() / createEvent)
        .toString();
  }
}
