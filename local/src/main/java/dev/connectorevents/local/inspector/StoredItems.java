package dev.connectorevents.local.inspector;

import dev.connectorevents.dynamodb.events.ItemSize;
import dev.connectorevents.emulator.dynamodb.WriteObserver.Write;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * What a request has written to tables.
 *
 * @param bytes of all items
 * @param isCompressed whether any payload is stored as gzip: only gzip is binary there
 * @param writeUnits of the tables, without their indexes: one for each started kilobyte of an item,
 *     twice as many in a transaction
 */
record StoredItems(int items, long bytes, boolean isCompressed, long writeUnits) {

  /** Null if there are no writes. */
  static @Nullable StoredItems of(List<Write> writes) {
    if (writes.isEmpty()) {
      return null;
    }
    List<Map<String, AttributeValue>> items =
        writes.stream().flatMap(write -> write.items().stream()).toList();
    return new StoredItems(
        items.size(),
        items.stream().mapToLong(ItemSize::of).sum(),
        items.stream().anyMatch(StoredItems::isCompressed),
        writes.stream().mapToLong(StoredItems::units).sum());
  }

  private static long units(Write write) {
    long units = write.items().stream().mapToLong(ItemSize::of).map(ItemSize::units).sum();
    return write.isTransaction() ? 2 * units : units;
  }

  private static boolean isCompressed(Map<String, AttributeValue> item) {
    AttributeValue payload = item.get("payload");
    return payload != null && payload.b() != null;
  }
}
