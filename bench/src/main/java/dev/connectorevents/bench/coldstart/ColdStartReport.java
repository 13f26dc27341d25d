package dev.connectorevents.bench.coldstart;

import static dev.connectorevents.bench.MarkdownTable.figure;

import dev.connectorevents.bench.MarkdownTable;
import dev.connectorevents.bench.coldstart.Result.Run;
import java.util.Comparator;
import java.util.List;
import java.util.Map.Entry;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The results as tables in Markdown. */
record ColdStartReport(List<Result> results) {

  private record Ratio(String name, double value) {}

  @Override
  public String toString() {
    String classes = find(Candidates.CREATE_EVENT).map(ColdStartReport::classes).orElse("");
    return Stream.of(table(), ratios(), classes)
        .filter(part -> !part.isEmpty())
        .collect(Collectors.joining("\n"));
  }

  private Optional<Result> find(String name) {
    return results.stream().filter(each -> each.candidate().name().equals(name)).findFirst();
  }

  private String table() {
    double floor = find(Candidates.FLOOR).map(Result::coldMs).orElse(Double.NaN);
    return new MarkdownTable<>(results)
        .column("", result -> result.candidate().name())
        .column("init ms", "%.0f", result -> result.median(Run::initMs))
        .column("first ms", "%.0f", Result::firstMs)
        .column("cold ms", "%.0f", Result::coldMs)
        .column("÷ floor", "%.2f", result -> result.coldMs() / floor)
        .column("warm p50 ms", "%.2f", Result::warmMs)
        .column("warm p99 ms", "%.2f", result -> Result.percentile(result.warmTimes(), 99))
        .column("peak RSS MiB", "%.0f", result -> result.median(Run::peakMib))
        .column("classes", "%.0f", result -> result.classes().size())
        .column("code MB", "%.1f", result -> result.candidate().deployment().codeBytes() / 1e6)
        .toString();
  }

  /** Ratios between rows; leaves out a ratio if one of its rows was not measured. */
  private String ratios() {
    String ours = Candidates.CREATE_EVENT;
    String restored = ours + Candidates.RESTORED;
    String bare = Candidates.BARE_PUT_ITEM;
    String login = Candidates.LOGIN + Candidates.RESTORED;
    Stream<Optional<Ratio>> ratios =
        Stream.of(
            ratio("first ms", Result::firstMs, restored, ours + Candidates.PROVISIONED),
            ratio("warm p50", Result::warmMs, restored, bare + Candidates.PROVISIONED),
            ratio("warm p50", Result::warmMs, ours, bare),
            ratio("warm p50", Result::warmMs, ours, Candidates.PLAIN_URL_CONNECTION),
            ratio("warm p50", Result::warmMs, login, Candidates.BARE_BCRYPT));
    return new MarkdownTable<>(ratios.flatMap(Optional::stream).toList())
        .column("", Ratio::name)
        .column("ratio", "%.3f", Ratio::value)
        .toString();
  }

  private Optional<Ratio> ratio(
      String figure, ToDoubleFunction<Result> of, String one, String other) {
    Optional<Double> above = find(one).map(of::applyAsDouble);
    Optional<Double> below = find(other).map(of::applyAsDouble);
    String name = figure + " of " + one + " ÷ " + other;
    return above.flatMap(it -> below.map(its -> new Ratio(name, it / its)));
  }

  private static String classes(Result result) {
    List<Entry<ClassGroup, Long>> groups =
        ClassGroup.count(result.classes()).entrySet().stream()
            .sorted(Entry.comparingByValue(Comparator.reverseOrder()))
            .toList();
    return "The classes that `createevent` loads until its first answer:\n\n"
        + new MarkdownTable<>(groups)
            .column("", group -> group.getKey().title())
            .column("classes", "%.0f", Entry::getValue)
            .column("there for", group -> group.getKey().purpose());
  }
}
