package dev.connectorevents.bench.coldstart;

import static dev.connectorevents.bench.MarkdownTable.figure;

import java.util.ArrayList;
import java.util.List;

/** The cold starts as a picture: a bar each, of init and first request. SVG 1.1. */
record ColdStartPlot(List<Result> results) {

  private static final int WIDTH = 860;
  private static final int LEFT = 290;
  private static final int RIGHT = 70;
  private static final int TOP = 44;
  private static final int ROW = 26;
  private static final int BAR = 16;
  private static final String INIT = "#4c78a8";
  private static final String FIRST = "#f58518";

  @Override
  public String toString() {
    List<String> lines = new ArrayList<>();
    int height = TOP + ROW * results.size() + 10;
    lines.add(
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" width="%1$d" height="%2$d" \
        font-family="sans-serif" font-size="13">\
        """
            .formatted(WIDTH, height));
    // Else the text would be black on black where pages are dark.
    lines.add("<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>");
    lines.add(bar(LEFT, 12, 12, INIT) + text(LEFT + 18, 24, "start", "init, ms"));
    lines.add(bar(LEFT + 110, 12, 12, FIRST) + text(LEFT + 128, 24, "start", "first request, ms"));
    for (int row = 0; row < results.size(); row++) {
      lines.add(row(results.get(row), TOP + row * ROW));
    }
    lines.add("</svg>");
    return String.join("\n", lines) + "\n";
  }

  private String row(Result result, int y) {
    double scale =
        (WIDTH - LEFT - RIGHT) / results.stream().mapToDouble(ColdStartPlot::ms).max().orElse(1);
    double init = result.candidate().isRestored() ? 0 : result.initMs() * scale;
    double first = result.firstMs() * scale;
    return text(LEFT - 8, y + 13, "end", result.name())
        + bar(LEFT, y, init, INIT)
        + bar(LEFT + init, y, first, FIRST)
        + text(LEFT + init + first + 6, y + 13, "start", figure("%.0f", ms(result)));
  }

  /** What a caller waits for, but for the restore itself. */
  private static double ms(Result result) {
    return result.candidate().isRestored() ? result.firstMs() : result.coldMs();
  }

  private static String bar(double x, int y, double width, String color) {
    return "<rect x=\"%s\" y=\"%d\" width=\"%s\" height=\"%d\" fill=\"%s\"/>"
        .formatted(figure("%.1f", x), y, figure("%.1f", width), BAR, color);
  }

  private static String text(double x, int y, String anchor, String text) {
    return "<text x=\"%s\" y=\"%d\" text-anchor=\"%s\">%s</text>"
        .formatted(figure("%.1f", x), y, anchor, escaped(text));
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
