package dev.connectorevents.emulator.dynamodb;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.Projection;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;

/** Computes the write units that a new item costs in the indexes of its table. */
final class IndexEntries {

  // The meter is created by the SDK, and learns the tables here.
  private static final Map<String, CreateTableRequest> TABLES = new ConcurrentHashMap<>();

  private IndexEntries() {}

  static void know(CreateTableRequest table) {
    TABLES.put(table.tableName(), table);
  }

  /** The units by the index's name. An index has no entry for an item without its key. */
  static Map<String, Double> units(String tableName, Map<String, AttributeValue> item) {
    Map<String, Double> units = new HashMap<>();
    CreateTableRequest table = TABLES.get(tableName);
    if (table != null) {
      for (GlobalSecondaryIndex index : table.globalSecondaryIndexes()) {
        if (item.keySet().containsAll(names(index.keySchema()))) {
          units.put(index.indexName(), WriteUnits.of(entry(table, index, item)));
        }
      }
    }
    return units;
  }

  private static Map<String, AttributeValue> entry(
      CreateTableRequest table, GlobalSecondaryIndex index, Map<String, AttributeValue> item) {
    Projection projection = index.projection();
    Map<String, AttributeValue> entry = new HashMap<>(item);
    if (projection.projectionType() != ProjectionType.ALL) {
      Set<String> kept = new HashSet<>(projection.nonKeyAttributes());
      Stream.of(table.keySchema(), index.keySchema())
          .map(IndexEntries::names)
          .forEach(kept::addAll);
      entry.keySet().retainAll(kept);
    }
    return entry;
  }

  private static List<String> names(List<KeySchemaElement> schema) {
    return schema.stream().map(KeySchemaElement::attributeName).toList();
  }
}
