package dev.connectorevents.emulator.dynamodb;

import dev.connectorevents.emulator.template.TableDefinition;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;

/** Creates the template's tables, and refuses to run on tables of another shape. */
public record Tables(DynamoDbClient client) {

  /**
   * Creates what is not there yet.
   *
   * @param steps is told how many, if any
   * @throws IllegalStateException when a table is there with other keys than the template's
   */
  public void create(List<TableDefinition> tables, Consumer<String> steps) {
    List<TableDefinition> missing = tables.stream().filter(table -> !isThere(table)).toList();
    if (!missing.isEmpty()) {
      steps.accept("creating " + missing.size() + (missing.size() == 1 ? " table" : " tables"));
    }
    missing.forEach(table -> client.createTable(table.request()));
    for (TableDefinition table : tables) {
      table.ttlAttribute().ifPresent(attribute -> expire(table.name(), attribute));
    }
  }

  private boolean isThere(TableDefinition table) {
    Optional<TableDescription> existing = find(table.name());
    existing.ifPresent(there -> requireSameKeys(table, there));
    return existing.isPresent();
  }

  /** Deletes those that are still there. */
  public void delete(List<TableDefinition> tables) {
    for (var table : tables) {
      if (find(table.name()).isPresent()) {
        client.deleteTable(request -> request.tableName(table.name()));
      }
    }
  }

  private Optional<TableDescription> find(String name) {
    try {
      return Optional.of(client.describeTable(request -> request.tableName(name)).table());
    } catch (ResourceNotFoundException e) {
      return Optional.empty();
    }
  }

  private static void requireSameKeys(TableDefinition wanted, TableDescription existing) {
    var request = wanted.request();
    if (!request.keySchema().equals(existing.keySchema())
        || !Set.copyOf(request.attributeDefinitions())
            .equals(Set.copyOf(existing.attributeDefinitions()))
        || !indexes(request.globalSecondaryIndexes())
            .equals(existingIndexes(existing.globalSecondaryIndexes()))) {
      throw new IllegalStateException(
          "the stored table "
              + wanted.name()
              + " has other keys or indexes than the template gives it: use another data"
              + " directory, or remove this one");
    }
  }

  private static Set<String> indexes(List<GlobalSecondaryIndex> indexes) {
    return indexes.stream()
        .map(index -> index.indexName() + index.keySchema())
        .collect(Collectors.toCollection(HashSet::new));
  }

  private static Set<String> existingIndexes(List<GlobalSecondaryIndexDescription> indexes) {
    return indexes.stream()
        .map(index -> index.indexName() + index.keySchema())
        .collect(Collectors.toCollection(HashSet::new));
  }

  private void expire(String table, String attribute) {
    var now = client.describeTimeToLive(request -> request.tableName(table));
    var status = now.timeToLiveDescription().timeToLiveStatus();
    if (status != TimeToLiveStatus.ENABLED && status != TimeToLiveStatus.ENABLING) {
      client.updateTimeToLive(request ->
          request
              .tableName(table)
              .timeToLiveSpecification(ttl -> ttl.enabled(true).attributeName(attribute)));
    }
  }
}
