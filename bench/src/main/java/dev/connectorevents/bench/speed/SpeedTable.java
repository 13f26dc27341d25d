package dev.connectorevents.bench.speed;

import static dev.connectorevents.bench.MarkdownTable.figure;

import dev.connectorevents.bench.MarkdownTable;
import java.util.Comparator;
import java.util.List;

/** The results as a table, each beside Jackson's tree of the same text. */
record SpeedTable(List<Speed> speeds) {

  private static final String YARDSTICK = "Jackson.tree";

  @Override
  public String toString() {
    List<List<String>> rows =
        speeds.stream()
            .sorted(Comparator.comparingInt(Speed::bytes).thenComparingDouble(Speed::micros))
            .map(this::row)
            .toList();
    return new MarkdownTable(
            List.of("", "bytes", "µs", "MB/s", "time, Jackson.tree = 1", "allocated, text = 1"),
            rows)
        .toString();
  }

  private List<String> row(Speed speed) {
    return List.of(
        speed.what(),
        ofText(speed, figure("%,d", speed.bytes())),
        figure("%,.1f", speed.micros()),
        ofText(speed, figure("%,.0f", speed.megabytesPerSecond())),
        beside(speed),
        ofText(speed, figure("%.1f", speed.allocated() / speed.bytes())));
  }

  private static String ofText(Speed speed, String figure) {
    return speed.bytes() == 0 ? "" : figure;
  }

  private String beside(Speed speed) {
    return speeds.stream()
        .filter(each -> each.what().equals(YARDSTICK) && each.bytes() == speed.bytes())
        .findFirst()
        .map(tree -> figure("%.2f", speed.micros() / tree.micros()))
        .orElse("");
  }
}
