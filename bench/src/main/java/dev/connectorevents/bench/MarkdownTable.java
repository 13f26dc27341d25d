package dev.connectorevents.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A Markdown table of figures, for the pages in {@code docs/}.
 *
 * @param <R> the type of a row
 */
final class MarkdownTable<R> {

  private record Column<R>(String title, Function<R, String> cell) {}

  private final List<Column<R>> columns = new ArrayList<>();
  private final List<R> rows;

  /**
   * Creates a table without columns. The column that is added first is left-aligned, for names. All
   * others are right-aligned, for figures.
   */
  MarkdownTable(List<R> rows) {
    this.rows = List.copyOf(rows);
  }

  MarkdownTable<R> column(String title, Function<R, String> cell) {
    columns.add(new Column<>(title, cell));
    return this;
  }

  MarkdownTable<R> column(String title, String format, ToDoubleFunction<R> value) {
    return column(title, row -> figure(format, value.applyAsDouble(row)));
  }

  /** Formats a number the same in every default locale; NaN becomes a dash. */
  static String figure(String format, double value) {
    return Double.isNaN(value) ? "–" : String.format(Locale.ROOT, format, value);
  }

  /** The table in Markdown; empty if there are no rows. */
  @Override
  public String toString() {
    if (rows.isEmpty()) {
      return "";
    }
    String rule = "|---|" + "---:|".repeat(columns.size() - 1);
    return Stream.concat(
            Stream.of(line(Column::title), rule),
            rows.stream().map(row -> line(column -> column.cell.apply(row))))
        .collect(Collectors.joining("\n", "", "\n"));
  }

  private String line(Function<Column<R>, String> cell) {
    return columns.stream().map(cell).collect(Collectors.joining(" | ", "| ", " |"));
  }
}
