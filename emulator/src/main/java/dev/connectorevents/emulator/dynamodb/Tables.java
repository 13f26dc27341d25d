package dev.connectorevents.emulator.dynamodb;

import dev.connectorevents.emulator.template.TableDefinition;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;

/** The template's tables in DynamoDB. */
public final class Tables {

  private final DynamoDbClient client;

  public Tables(DynamoDbClient client) {
    this.client = client;
  }

  /**
   * Creates the tables that do not exist yet.
   *
   * @param steps receives how many, if any
   * @throws IllegalStateException when a table exists with other keys than the template's
   */
  public void create(List<TableDefinition> tables, Consumer<String> steps) {
    List<TableDefinition> missing = tables.stream().filter(table -> !exists(table)).toList();
    if (!missing.isEmpty()) {
      steps.accept("creating " + missing.size() + (missing.size() == 1 ? " table" : " tables"));
    }
    missing.forEach(table -> client.createTable(table.request()));
    for (TableDefinition table : tables) {
      table.ttlAttribute().ifPresent(attribute -> expire(table.name(), attribute));
    }
  }

  /** Deletes those that still exist. */
  public void delete(List<TableDefinition> tables) {
    for (TableDefinition table : tables) {
      if (find(table.name()).isPresent()) {
        client.deleteTable(request -> request.tableName(table.name()));
      }
    }
  }

  private boolean exists(TableDefinition table) {
    Optional<TableDescription> existing = find(table.name());
    existing.ifPresent(there -> requireSameKeys(table.request(), there));
    return existing.isPresent();
  }

  private Optional<TableDescription> find(String name) {
    try {
      return Optional.of(client.describeTable(request -> request.tableName(name)).table());
    } catch (ResourceNotFoundException e) {
      return Optional.empty();
    }
  }

  private static void requireSameKeys(CreateTableRequest wanted, TableDescription existing) {
    Map<String, ?> wantedIndexes =
        wanted.globalSecondaryIndexes().stream()
            .collect(
                Collectors.toMap(GlobalSecondaryIndex::indexName, GlobalSecondaryIndex::keySchema));
    Map<String, ?> existingIndexes =
        existing.globalSecondaryIndexes().stream()
            .collect(
                Collectors.toMap(
                    GlobalSecondaryIndexDescription::indexName,
                    GlobalSecondaryIndexDescription::keySchema));
    if (!wanted.keySchema().equals(existing.keySchema())
        || !wantedIndexes.equals(existingIndexes)
        || !Set.copyOf(wanted.attributeDefinitions())
            .equals(Set.copyOf(existing.attributeDefinitions()))) {
      throw new IllegalStateException(
          "the stored table %s has other keys or indexes than the template's: use another data directory, or remove this one"
              .formatted(wanted.tableName()));
    }
  }

  private void expire(String table, String attribute) {
    TimeToLiveStatus status =
        client
            .describeTimeToLive(request -> request.tableName(table))
            .timeToLiveDescription()
            .timeToLiveStatus();
    if (status != TimeToLiveStatus.ENABLED && status != TimeToLiveStatus.ENABLING) {
      client.updateTimeToLive(request ->
          request
              .tableName(table)
              .timeToLiveSpecification(ttl -> ttl.enabled(true).attributeName(attribute)));
    }
  }
}
