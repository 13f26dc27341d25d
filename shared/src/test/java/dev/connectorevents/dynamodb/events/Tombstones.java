package dev.connectorevents.dynamodb.events;

import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromN;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.dynamodb.Item;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/** Replaces events by tombstones, as an erasure does. */
public record Tombstones(DynamoDbClient dynamoDb, String table) {

  /** The time of the erasure in every tombstone. */
  public static final String ERASED_AT = "2026-11-20T12:00:05.000Z";

  /** Erases an event that has an {@code Idempotency-Key}. */
  public void put(UUID id) {
    put(id, Map.of());
  }

  /** Erases an event without an {@code Idempotency-Key}. Its tombstone expires at this time. */
  public void put(UUID id, Instant expiresAt) {
    put(id, Map.of("expires_at", fromN("" + expiresAt.getEpochSecond())));
  }

  private void put(UUID id, Map<String, AttributeValue> end) {
    Map<String, AttributeValue> tombstone = new HashMap<>(end);
    tombstone.put("id", fromS(id.toString()));
    tombstone.put("erased_at", fromS(ERASED_AT));
    tombstone.put("erasure_id", fromS(UUID.randomUUID().toString()));
    List<TransactWriteItem> writes = new ArrayList<>();
    writes.add(
        TransactWriteItem.builder().put(put -> put.tableName(table).item(tombstone)).build());
    for (String part : StoredPayload.partIds(new Item(item(id)))) {
      writes.add(
          TransactWriteItem.builder()
              .delete(delete -> delete.tableName(table).key(Map.of("id", fromS(part))))
              .build());
    }
    dynamoDb.transactWriteItems(write -> write.transactItems(writes));
  }

  /** The first item of an event, or its tombstone. */
  public Map<String, AttributeValue> item(UUID id) {
    return ReadBack.item(dynamoDb, table, id.toString());
  }
}
