package dev.connectorevents.bench.bill;

import static dev.connectorevents.bench.MarkdownTable.figure;
import static java.util.stream.Collectors.joining;

import dev.connectorevents.dynamodb.ItemSize;
import java.util.SortedMap;

/** What one event uses: of its table and of the indexes, in bytes and in write units. */
public record Usage(
    long bodyBytes,
    int items,
    long itemBytes,
    int entries,
    long entryBytes,
    double tableUnits,
    SortedMap<String, Double> indexUnits) {

  /** The same event in items of that size in all: in a transaction where one cannot hold it. */
  Usage inItemsOf(long bytes) {
    int needed = (int) Math.ceilDiv(bytes, ItemSize.LIMIT);
    long units = ItemSize.units(bytes) * (needed == 1 ? 1 : 2);
    return new Usage(bodyBytes, needed, bytes, entries, entryBytes, units, indexUnits);
  }

  double allIndexUnits() {
    return indexUnits.values().stream().mapToDouble(units -> units).sum();
  }

  /** The units of the indexes one by one. */
  String indexes() {
    return indexUnits.values().stream()
        .map(units -> figure("%,.0f", units))
        .collect(joining(" + "));
  }
}
