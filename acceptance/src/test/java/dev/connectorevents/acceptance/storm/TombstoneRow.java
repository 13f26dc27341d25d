package dev.connectorevents.acceptance.storm;

import static java.util.stream.Collectors.toMap;

import dev.connectorevents.event.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The tombstone of an erased event, as the events table stores it.
 *
 * @param attributes all attributes except the id, as text
 */
record TombstoneRow(String id, Map<String, String> attributes) {

  /** How long the tombstone of an event without a key stays, as {@code docs/api.md} says. */
  private static final Duration WITHOUT_KEY = Duration.ofDays(35);

  TombstoneRow {
    attributes = Map.copyOf(attributes);
  }

  static List<TombstoneRow> all(DynamoDbClient dynamoDb, String table) {
    return dynamoDb
        .scanPaginator(
            scan -> scan.tableName(table).filterExpression("attribute_exists(erased_at)"))
        .items()
        .stream()
        .map(TombstoneRow::of)
        .toList();
  }

  private static TombstoneRow of(Map<String, AttributeValue> item) {
    Map<String, String> attributes =
        item.entrySet().stream().collect(toMap(Map.Entry::getKey, it -> text(it.getValue())));
    String id = Objects.requireNonNull(attributes.remove("id"));
    return new TombstoneRow(id, attributes);
  }

  private static String text(AttributeValue value) {
    return Optional.ofNullable(value.s())
        .or(() -> Optional.ofNullable(value.n()))
        .orElseGet(value::toString);
  }

  /** The attributes, except the id, of the tombstone that an erasure leaves of an event. */
  private static Map<String, String> attributes(
      String erasureId, Instant erasedAt, boolean hasKey) {
    Map<String, String> attributes = new HashMap<>();
    attributes.put("erasure_id", erasureId);
    attributes.put("erased_at", Timestamp.of(erasedAt));
    if (!hasKey) {
      attributes.put("expires_at", "" + erasedAt.plus(WITHOUT_KEY).getEpochSecond());
    }
    return attributes;
  }

  /** Whether this erasure wrote the tombstone. */
  boolean isOf(CallHistory.Erasure erasure) {
    return erasure.events().contains(id)
        && erasure.id().equals(Optional.ofNullable(attributes.get("erasure_id")));
  }

  /** Whether the tombstone has exactly the attributes that a tombstone of this event must have. */
  boolean isRightFor(Event event) {
    String erasureId = attributes.getOrDefault("erasure_id", "");
    Instant erasedAt = Instant.parse(Objects.requireNonNull(attributes.get("erased_at")));
    return attributes.equals(attributes(erasureId, erasedAt, event.key().isPresent()));
  }
}
