package dev.connectorevents.bench;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What is measured, in the form that the documentation has it in.
 *
 * @param rows each as long as the header; a row's first cell is its name, the others are figures
 */
public record MarkdownTable(List<String> header, List<List<String>> rows) {

  public MarkdownTable {
    header = List.copyOf(header);
    rows = List.copyOf(rows);
  }

  @Override
  public String toString() {
    String rule = "|---|" + String.join("", Collections.nCopies(header.size() - 1, "---:|"));
    return Stream.concat(Stream.of(line(header), rule), rows.stream().map(MarkdownTable::line))
        .collect(Collectors.joining("\n", "", "\n"));
  }

  /** A figure as it is written everywhere, whatever this machine's language. */
  public static String figure(String format, Object value) {
    return String.format(Locale.ROOT, format, value);
  }

  private static String line(List<String> cells) {
    return cells.stream().collect(Collectors.joining(" | ", "| ", " |"));
  }
}
