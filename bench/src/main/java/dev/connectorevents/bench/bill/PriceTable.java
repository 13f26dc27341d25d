package dev.connectorevents.bench.bill;

import dev.connectorevents.bench.MarkdownTable;
import java.util.Arrays;
import java.util.List;

/** Every unit price, with its source. */
final class PriceTable {

  private PriceTable() {}

  static String text() {
    List<List<String>> rows = Arrays.stream(Price.values()).map(PriceTable::row).toList();
    return new MarkdownTable(List.of("unit", "$", "per", "source"), rows).toString();
  }

  private static List<String> row(Price price) {
    String dollars = MarkdownTable.figure("%.4f", price.dollars()).replaceFirst("0{1,2}$", "");
    return List.of(price.what(), dollars, price.per(), "<" + price.source() + ">");
  }
}
