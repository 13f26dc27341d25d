package dev.connectorevents.emulator.dynamodb;

import dev.connectorevents.emulator.template.TableDefinition;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
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
    Set<String> existing = names();
    tables.stream()
        .filter(table -> existing.contains(table.name()))
        .forEach(table -> requireSameKeys(table.request(), describe(table.name())));
    List<TableDefinition> missing =
        tables.stream().filter(table -> !existing.contains(table.name())).toList();
    if (!missing.isEmpty()) {
      steps.accept("creating " + missing.size() + (missing.size() == 1 ? " table" : " tables"));
    }
    missing.forEach(table -> client.createTable(table.request()));
    for (TableDefinition table : tables) {
      table
          .ttlAttribute()
          .filter(attribute -> missing.contains(table) || !expires(table.name()))
          .ifPresent(attribute -> expire(table.name(), attribute));
    }
  }

  /** Deletes those that still exist. */
  public void delete(List<TableDefinition> tables) {
    Set<String> existing = names();
    tables.stream()
        .map(TableDefinition::name)
        .filter(existing::contains)
        .forEach(name -> client.deleteTable(request -> request.tableName(name)));
  }

  private Set<String> names() {
    return client.listTablesPaginator().tableNames().stream().collect(Collectors.toSet());
  }

  private TableDescription describe(String name) {
    return client.describeTable(request -> request.tableName(name)).table();
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

  private boolean expires(String table) {
    TimeToLiveStatus status =
        client
            .describeTimeToLive(request -> request.tableName(table))
            .timeToLiveDescription()
            .timeToLiveStatus();
    return status == TimeToLiveStatus.ENABLED || status == TimeToLiveStatus.ENABLING;
  }

  private void expire(String table, String attribute) {
    client.updateTimeToLive(request ->
        request
            .tableName(table)
            .timeToLiveSpecification(ttl -> ttl.enabled(true).attributeName(attribute)));
  }
}
