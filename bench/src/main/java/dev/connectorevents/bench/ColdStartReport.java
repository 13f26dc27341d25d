package dev.connectorevents.bench;

import static dev.connectorevents.bench.MarkdownTable.figure;

import dev.connectorevents.bench.Result.Run;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/** The results as tables in Markdown. */
record ColdStartReport(List<Result> results) {

  /** A row in both builds. */
  private record Pair(Result ours, Result other) {

    private String ratio(Function<Result, List<Double>> figures) {
      return ColdStartReport.ratio(figures.apply(ours), figures.apply(other));
    }
  }

  @Override
  public String toString() {
    String pairs = pairs();
    return pairs.isEmpty() ? table() : table() + "\nThis build ÷ the other build:\n\n" + pairs;
  }

  private String table() {
    List<Double> floor = find(Candidates.FLOOR).map(Result::colds).orElse(List.of());
    return new MarkdownTable<>(results)
        .column("", Result::name)
        .column("init ms", "%.0f", result -> result.median(Run::initMs))
        .column("first ms", "%.0f", result -> result.median(Run::firstMs))
        .column("cold ms", "%.0f", Result::coldMs)
        .column("÷ floor", result -> ratio(result.colds(), floor))
        .column("warm p50 ms", "%.2f", result -> result.warmMs(50))
        .column("warm p99 ms", "%.2f", result -> result.warmMs(99))
        .column("peak RSS MiB", "%.0f", result -> result.median(Run::peakMib))
        .toString();
  }

  private String pairs() {
    List<Pair> pairs =
        results.stream()
            .flatMap(ours ->
                find(ours.name() + Candidates.OTHER_BUILD).map(it -> new Pair(ours, it)).stream())
            .toList();
    return new MarkdownTable<>(pairs)
        .column("", pair -> pair.ours.name())
        .column("first", pair -> pair.ratio(Result::firsts))
        .column("cold", pair -> pair.ratio(Result::colds))
        .column("warm p50", pair -> pair.ratio(Result::warms))
        .toString();
  }

  private Optional<Result> find(String name) {
    return results.stream().filter(each -> each.name().equals(name)).findFirst();
  }

  /**
   * The median and the range of two measurements' ratios, one ratio for each round that has both; a
   * dash if none has. The bench takes both measurements in the same round, so other load on the
   * machine changes their ratio little.
   */
  private static String ratio(List<Double> one, List<Double> other) {
    List<Double> ratios =
        IntStream.range(0, Math.min(one.size(), other.size()))
            .mapToObj(round -> one.get(round) / other.get(round))
            .filter(ratio -> !ratio.isNaN())
            .toList();
    return ratios.isEmpty()
        ? figure("", Double.NaN)
        : figure("%.2f", Result.percentile(ratios, 50))
            + figure(" (%.2f", Collections.min(ratios))
            + figure(" to %.2f)", Collections.max(ratios));
  }
}
