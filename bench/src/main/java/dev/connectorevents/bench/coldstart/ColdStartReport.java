package dev.connectorevents.bench.coldstart;

import static dev.connectorevents.bench.MarkdownTable.figure;

import dev.connectorevents.bench.MarkdownTable;
import dev.connectorevents.bench.coldstart.Result.Run;
import java.util.Comparator;
import java.util.List;
import java.util.Map.Entry;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The results as tables in Markdown. */
record ColdStartReport(List<Result> results) {

  private record Ratio(String name, RoundRatios rounds) {}

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
    List<Double> floor = find(Candidates.FLOOR).map(Result::colds).orElse(List.of());
    return new MarkdownTable<>(results)
        .column("", result -> result.candidate().name())
        .column("init ms", "%.0f", result -> result.median(Run::initMs))
        .column("first ms", "%.0f", Result::firstMs)
        .column("cold ms", "%.0f", Result::coldMs)
        .column("÷ floor", result -> RoundRatios.of(result.colds(), floor).toString())
        .column("warm p50 ms", "%.2f", result -> result.warmMs(50))
        .column("warm p99 ms", "%.2f", result -> result.warmMs(99))
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
            ratio("first", Result::firsts, restored, ours + Candidates.PROVISIONED),
            ratio("warm p50", Result::warms, restored, bare + Candidates.PROVISIONED),
            ratio("warm p50", Result::warms, ours, bare),
            ratio("warm p50", Result::warms, ours, Candidates.PLAIN_URL_CONNECTION),
            ratio("warm p50", Result::warms, login, Candidates.BARE_BCRYPT));
    List<Ratio> all =
        Stream.concat(ratios, results.stream().flatMap(this::toOtherBuild))
            .flatMap(Optional::stream)
            .toList();
    return new MarkdownTable<>(all)
        .column("", Ratio::name)
        .column("median ratio (range)", ratio -> ratio.rounds.toString())
        .toString();
  }

  private Stream<Optional<Ratio>> toOtherBuild(Result result) {
    String name = result.candidate().name();
    String other = name + Candidates.OTHER_BUILD;
    return Stream.of(
        ratio("cold", Result::colds, name, other),
        ratio("first", Result::firsts, name, other),
        ratio("warm p50", Result::warms, name, other));
  }

  /**
   * The ratios of the row named {@code one} to the row named {@code other}, one ratio for each
   * round. Empty if the bench did not measure both rows.
   */
  private Optional<Ratio> ratio(
      String figure, Function<Result, List<Double>> of, String one, String other) {
    Optional<List<Double>> above = find(one).map(of);
    Optional<List<Double>> below = find(other).map(of);
    return above
        .flatMap(it -> below.map(its -> RoundRatios.of(it, its)))
        .filter(rounds -> !rounds.ratios().isEmpty())
        .map(rounds -> new Ratio(figure + " of " + one + " ÷ " + other, rounds));
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
