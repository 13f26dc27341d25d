package dev.connectorevents.local.inspector;

import dev.connectorevents.dynamodb.ItemSize;
import dev.connectorevents.emulator.dynamodb.CapacityMeter.Write;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a request has written to tables.
 *
 * @param bytes of all items
 * @param writeUnits of the tables
 * @param indexUnits write units of the tables' indexes
 */
record StoredItems(int items, long bytes, double writeUnits, double indexUnits) {

  /** Null if there are no writes. */
  static @Nullable StoredItems of(List<Write> writes) {
    if (writes.isEmpty()) {
      return null;
    }
    return new StoredItems(
        writes.stream().mapToInt(write -> write.items().size()).sum(),
        writes.stream().flatMap(write -> write.items().stream()).mapToLong(ItemSize::of).sum(),
        writes.stream().mapToDouble(Write::tableUnits).sum(),
        writes.stream().mapToDouble(Write::indexUnits).sum());
  }
}
