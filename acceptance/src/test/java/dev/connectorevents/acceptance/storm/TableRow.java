package dev.connectorevents.acceptance.storm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.connectorevents.dynamodb.events.ReadBack;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * An event, as the events table stores it.
 *
 * @param number the number of the {@link Event}, read from the payload; -1 if the payload has no
 *     number, or lacks a part
 */
record TableRow(
    String id,
    int number,
    UUID userId,
    String type,
    int installation,
    Instant createdAt,
    String payload) {

  private static final Pattern NUMBER = Pattern.compile("\\{\"n\":(\\d+), .*", Pattern.DOTALL);

  static List<TableRow> all(DynamoDbClient dynamoDb, String table) {
    return dynamoDb
        .scanPaginator(scan ->
            scan.tableName(table)
                .filterExpression("attribute_exists(event_type)")
                .projectionExpression(
                    "id, created_at, user_id, event_type, connector_installation_id"))
        .items()
        .stream()
        .toList()
        .parallelStream()
        .map(item -> read(dynamoDb, table, item))
        .toList();
  }

  private static TableRow read(
      DynamoDbClient dynamoDb, String table, Map<String, AttributeValue> head) {
    String id = text(head, "id");
    String payload = payload(dynamoDb, table, id);
    Matcher number = NUMBER.matcher(payload);
    ByteBuffer user = requireNonNull(head.get("user_id")).b().asByteBuffer();
    return new TableRow(
        id,
        number.matches() ? Integer.parseInt(number.group(1)) : -1,
        new UUID(user.getLong(), user.getLong()),
        text(head, "event_type"),
        Integer.parseInt(requireNonNull(head.get("connector_installation_id")).n()),
        Instant.parse(text(head, "created_at")),
        payload);
  }

  /** The row that an acknowledged event must have had, made from the event and the answer. */
  static TableRow of(Attempt acknowledged) {
    Event event = acknowledged.event();
    return new TableRow(
        acknowledged.id(),
        event.number(),
        event.account().id(),
        event.type(),
        event.installation(),
        acknowledged.createdAt(),
        event.kept(acknowledged.answer().path("attempts").asInt()));
  }

  private static String text(Map<String, AttributeValue> item, String name) {
    return requireNonNull(item.get(name)).s();
  }

  /**
   * The ids of stray parts. A large event has further items, its parts. A part is stray if its
   * event is not stored or was erased, or has fewer parts.
   */
  static List<String> strayParts(DynamoDbClient dynamoDb, String table) {
    Map<String, Integer> parts = new HashMap<>();
    List<String> ids = new ArrayList<>();
    dynamoDb
        .scanPaginator(scan ->
            scan.tableName(table)
                .filterExpression("attribute_not_exists(erased_at)")
                .projectionExpression("id, event_type, parts"))
        .items()
        .forEach(item -> {
          if (item.containsKey("event_type")) {
            AttributeValue count = item.get("parts");
            parts.put(text(item, "id"), count == null ? 0 : Integer.parseInt(count.n()));
          } else {
            ids.add(text(item, "id"));
          }
        });
    return ids.stream().filter(id -> isStray(id.split("#", 2), parts)).toList();
  }

  private static boolean isStray(String[] id, Map<String, Integer> parts) {
    return Integer.parseInt(id[1]) > parts.getOrDefault(id[0], 0);
  }

  /** The payload of a stored event; empty if a part of it is missing. */
  private static String payload(DynamoDbClient dynamoDb, String table, String id) {
    try {
      return new String(ReadBack.read(dynamoDb, table, id), UTF_8);
    } catch (SdkException e) {
      throw e;
    } catch (RuntimeException e) {
      return "";
    }
  }
}
