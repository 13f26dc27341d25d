package dev.connectorevents.bench.bill;

import static dev.connectorevents.bench.MarkdownTable.figure;
import static java.util.stream.Collectors.joining;

import dev.connectorevents.dynamodb.events.ItemSize;
import java.util.SortedMap;

/**
 * The bytes and write units that one event uses.
 *
 * @param bodyBytes the bytes of the request body if the request has only this event
 * @param items the number of the event's items in the table
 * @param entries the number of the event's entries in the indexes
 * @param indexUnits the write units of each index, by name
 */
public record Usage(
    long bodyBytes,
    int items,
    long itemBytes,
    int entries,
    long entryBytes,
    double tableUnits,
    SortedMap<String, Double> indexUnits) {

  /**
   * The same event with another stored size. More than one item means a transaction, which doubles
   * the units.
   *
   * @param bytes the total size of all items
   */
  Usage inItemsOf(long bytes) {
    int needed = (int) Math.ceilDiv(bytes, ItemSize.LIMIT);
    long units = ItemSize.units(bytes) * (needed == 1 ? 1 : 2);
    return new Usage(bodyBytes, needed, bytes, entries, entryBytes, units, indexUnits);
  }

  double allIndexUnits() {
    return indexUnits.values().stream().mapToDouble(units -> units).sum();
  }

  /** The units of the indexes, joined by plus signs: {@code 1 + 1}. */
  String indexes() {
    return indexUnits.values().stream()
        .map(units -> figure("%,.0f", units))
        .collect(joining(" + "));
  }
}
