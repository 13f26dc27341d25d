package dev.connectorevents.acceptance.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.local.ServedLocally;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The events that the connectors of {@code examples/} have sent, read from the table of events. */
final class StoredWebhook {

  private static final String META = "\"_meta\":";

  private StoredWebhook() {}

  /**
   * The payloads of all events of a type, without the {@code _meta} that the connector appended.
   * Checks each {@code _meta}.
   */
  static List<String> payloads(World service, String eventType) {
    return ids(service, eventType)
        .map(id -> payload(new String(service.payload(id), UTF_8), eventType))
        .toList();
  }

  /** The number of events of a type. Who waits for events asks for this: it reads no payload. */
  static int count(World service, String eventType) {
    return (int) ids(service, eventType).count();
  }

  private static Stream<String> ids(World service, String eventType) {
    return service
        .dynamoDb()
        .scanPaginator(scan ->
            scan.tableName(service.name("EventsTable"))
                .consistentRead(true)
                .filterExpression("event_type = :type")
                .expressionAttributeValues(Map.of(":type", AttributeValue.fromS(eventType)))
                .projectionExpression("id"))
        .items()
        .stream()
        .map(item -> requireNonNull(item.get("id")).s());
  }

  private static String payload(String stored, String eventType) {
    int start = stored.lastIndexOf(META);
    JsonNode meta =
        ServedLocally.read(stored.substring(start + META.length(), stored.length() - 1));
    assertThat(meta.get("source").textValue() + "." + meta.get("topic").textValue())
        .isEqualTo(eventType);
    assertThat(UUID.fromString(meta.get("request_id").textValue())).isNotNull();
    assertThat(Instant.parse(meta.get("received_at").textValue())).isBefore(Instant.now());
    return stored.substring(0, start).replaceFirst(",$", "") + "}";
  }
}
