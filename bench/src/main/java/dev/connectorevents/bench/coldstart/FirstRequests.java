package dev.connectorevents.bench.coldstart;

import dev.connectorevents.bench.MarkdownTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * How long the first requests of a new instance take, while the JVM still compiles.
 *
 * @param times for each candidate and each start, the times of its requests in order, in ms
 */
record FirstRequests(Map<Candidates.Candidate, List<List<Double>>> times) {

  /** The number of requests to measure after each start. */
  static final int COUNT = 1_000;

  /** The times of the requests number {@code from} to {@code to}, in all starts of a candidate. */
  private record Range(String name, int from, int to, List<Double> times) {

    static Range of(String name, int from, int to, List<List<Double>> starts) {
      return new Range(
          name,
          from,
          to,
          starts.stream().flatMap(it -> it.subList(from - 1, to).stream()).toList());
    }

    double mean() {
      return times.stream().mapToDouble(it -> it).average().orElse(Double.NaN);
    }
  }

  @Override
  public String toString() {
    List<Range> ranges = new ArrayList<>();
    times.forEach((candidate, starts) -> {
      ranges.add(Range.of(candidate.name(), 1, 10, starts));
      ranges.add(Range.of(candidate.name(), 11, 100, starts));
      ranges.add(Range.of(candidate.name(), 101, COUNT, starts));
    });
    return new MarkdownTable<>(ranges)
        .column("", Range::name)
        .column("requests", range -> range.from + " to " + range.to)
        .column("mean ms", "%.2f", Range::mean)
        .column("p99 ms", "%.2f", range -> Result.percentile(range.times, 99))
        .toString();
  }
}
