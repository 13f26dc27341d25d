package dev.connectorevents.dynamodb.events;

import static java.util.Objects.requireNonNull;

import dev.connectorevents.event.Deliveries;
import dev.connectorevents.event.EventPlace;
import dev.connectorevents.event.EventToStore;
import dev.connectorevents.event.EventType;
import dev.connectorevents.event.Meta;
import dev.connectorevents.event.Payload;
import dev.connectorevents.event.RetentionRules;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Stores events with times that a test chooses. The last three bits of an event's id are its lane.
 */
public record EventWriter(DynamoDbClient dynamoDb, String table) {

  public EventPlace store(String type, Optional<String> brand, Instant createdAt) {
    return store(UUID.randomUUID(), type, brand, createdAt, Optional.empty());
  }

  public EventPlace store(UUID id, String type, Instant createdAt) {
    return store(id, type, Optional.empty(), createdAt, Optional.empty());
  }

  public EventPlace store(
      UUID id, String type, Optional<String> brand, Instant createdAt, Optional<Duration> kept) {
    Meta meta = new Meta(brand.map(name -> Map.of("brand_id", name)).orElse(Map.of()));
    return store(id, type, new Payload("{}", meta), createdAt, kept);
  }

  public EventPlace store(UUID id, String type, String payload, Instant createdAt) {
    return store(id, type, new Payload(payload, new Meta(Map.of())), createdAt, Optional.empty());
  }

  public EventPlace store(
      UUID id, String type, Payload payload, Instant createdAt, Optional<Duration> kept) {
    new DynamoEvents(
            dynamoDb,
            table,
            () -> id.getLeastSignificantBits() << Integer.SIZE, // nextInt takes the upper half
            RetentionRules.parse("", kept.orElse(Duration.ZERO)))
        .store(
            new EventToStore(
                id,
                new EventType(type),
                Deliveries.FULL,
                payload,
                UUID.randomUUID(),
                Optional.empty(),
                createdAt));
    return new EventPlace(createdAt, id);
  }

  /** Changes an attribute of an event's first item. */
  public void set(UUID id, String attribute, AttributeValue value) {
    dynamoDb.updateItem(update ->
        update
            .tableName(table)
            .key(Map.of("id", AttributeValue.fromS(id.toString())))
            .updateExpression("SET " + attribute + " = :value")
            .expressionAttributeValues(Map.of(":value", value)));
  }

  public List<Map<String, AttributeValue>> items() {
    return dynamoDb.scanPaginator(scan -> scan.tableName(table)).items().stream().toList();
  }

  /** Deletes all items. */
  public void clear() {
    for (Map<String, AttributeValue> item : items()) {
      Map<String, AttributeValue> key = Map.of("id", requireNonNull(item.get("id")));
      dynamoDb.deleteItem(delete -> delete.tableName(table).key(key));
    }
  }
}
