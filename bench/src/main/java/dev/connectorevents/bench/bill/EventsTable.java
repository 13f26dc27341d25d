package dev.connectorevents.bench.bill;

import dev.connectorevents.local.template.FunctionDefinition;
import dev.connectorevents.local.template.TableDefinition;
import dev.connectorevents.local.template.Template;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;

/**
 * The events' table as the template describes it.
 *
 * @param indexes the attributes of an entry of each index, all of which are keys
 */
record EventsTable(String name, Map<String, Set<String>> indexes) {

  private static final String VARIABLE = "EVENTS_TABLE";

  /** The function that writes to it. */
  static FunctionDefinition writer(Template template) {
    return template.functions().stream()
        .filter(function -> function.environment().containsKey(VARIABLE))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no function has an " + VARIABLE));
  }

  static EventsTable of(Template template) {
    String name = writer(template).environment().getOrDefault(VARIABLE, "");
    return template.tables().stream()
        .filter(table -> table.name().equals(name))
        .map(TableDefinition::request)
        .map(EventsTable::of)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("the template has no table " + name));
  }

  private static EventsTable of(CreateTableRequest table) {
    Map<String, Set<String>> indexes = new TreeMap<>();
    for (GlobalSecondaryIndex index : table.globalSecondaryIndexes()) {
      if (index.projection().projectionType() != ProjectionType.KEYS_ONLY) {
        throw new IllegalStateException(index.indexName() + " holds more than keys");
      }
      Set<String> keys = names(table.keySchema());
      keys.addAll(names(index.keySchema()));
      indexes.put(index.indexName(), keys);
    }
    return new EventsTable(table.tableName(), indexes);
  }

  private static Set<String> names(List<KeySchemaElement> keys) {
    Set<String> names = new HashSet<>();
    keys.forEach(key -> names.add(key.attributeName()));
    return names;
  }

  /** What the indexes hold of these items. */
  List<Map<String, AttributeValue>> entries(List<Map<String, AttributeValue>> items) {
    return indexes.values().stream()
        .flatMap(keys ->
            items.stream()
                .filter(item -> item.keySet().containsAll(keys))
                .map(item -> {
                  Map<String, AttributeValue> entry = new HashMap<>(item);
                  entry.keySet().retainAll(keys);
                  return entry;
                }))
        .toList();
  }
}
