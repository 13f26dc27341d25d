package dev.connectorevents.acceptance.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.dynamodb.events.ReadBack;
import dev.connectorevents.emulator.Emulator;
import dev.connectorevents.local.ServedLocally;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * An event that a connector of {@code examples/} has sent, read from the table of events.
 *
 * @param payload the text that the provider sent, without the {@code _meta} that the connector
 *     appended
 * @param meta the {@code _meta} that the connector appended
 */
record StoredWebhook(UUID id, String payload, JsonNode meta) {

  private static final String META = "\"_meta\":";

  /** Reads all events of a type, and checks the {@code _meta} of each. */
  static List<StoredWebhook> all(ServedLocally service, String eventType) {
    Emulator emulator = service.service();
    return all(emulator.dynamoDb(), emulator.name("EventsTable"), eventType);
  }

  /** As the other, from this table. */
  static List<StoredWebhook> all(DynamoDbClient dynamoDb, String table, String eventType) {
    return dynamoDb
        .scanPaginator(scan -> scan.tableName(table).consistentRead(true))
        .items()
        .stream()
        .filter(item -> item.containsKey("event_type"))
        .filter(item -> requireNonNull(item.get("event_type")).s().equals(eventType))
        .map(item -> requireNonNull(item.get("id")).s())
        .map(id -> of(id, new String(ReadBack.read(dynamoDb, table, id), UTF_8), eventType))
        .toList();
  }

  private static StoredWebhook of(String id, String stored, String eventType) {
    int start = stored.lastIndexOf(META);
    JsonNode meta =
        ServedLocally.read(stored.substring(start + META.length(), stored.length() - 1));
    assertThat(meta.get("source").textValue() + "." + meta.get("topic").textValue())
        .isEqualTo(eventType);
    assertThat(UUID.fromString(meta.get("request_id").textValue())).isNotNull();
    assertThat(Instant.parse(meta.get("received_at").textValue())).isBefore(Instant.now());
    return new StoredWebhook(
        UUID.fromString(id), stored.substring(0, start).replaceFirst(",$", "") + "}", meta);
  }
}
