package dev.connectorevents.bench.coldstart;

import static dev.connectorevents.bench.MarkdownTable.figure;

import dev.connectorevents.bench.MarkdownTable;
import java.util.List;
import java.util.OptionalDouble;

/** What was measured of each candidate. */
record ColdStartTable(List<Result> results) {

  private static final String NONE = "–";
  private static final List<String> HEADER =
      List.of(
          "",
          "init ms",
          "first ms",
          "cold ms",
          "÷ floor",
          "warm p50 ms",
          "warm p99 ms",
          "peak RSS MiB",
          "classes",
          "code MB");

  @Override
  public String toString() {
    return new MarkdownTable(HEADER, results.stream().map(this::row).toList()).toString();
  }

  private List<String> row(Result result) {
    boolean isRestored = result.candidate().isRestored();
    return List.of(
        result.name(),
        figure("%.0f", result.initMs()),
        figure("%.0f", result.firstMs()),
        isRestored ? NONE : figure("%.0f", result.coldMs()),
        isRestored ? NONE : optional("%.2f", toFloor(result)),
        optional("%.2f", result.warmMs(0.5)),
        optional("%.2f", result.warmMs(0.99)),
        figure("%.0f", result.peakMib()),
        Integer.toString(result.classes().size()),
        figure("%.1f", result.candidate().codeBytes() / 1e6));
  }

  private OptionalDouble toFloor(Result result) {
    return results.stream()
        .filter(each -> each.name().equals(Peers.FLOOR))
        .mapToDouble(floor -> result.coldMs() / floor.coldMs())
        .findFirst();
  }

  private static String optional(String format, OptionalDouble value) {
    return value.isPresent() ? figure(format, value.getAsDouble()) : NONE;
  }
}
