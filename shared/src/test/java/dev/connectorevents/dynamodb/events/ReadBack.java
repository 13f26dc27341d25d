package dev.connectorevents.dynamodb.events;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads payloads from the table exactly as {@code docs/reading-events.md} tells consumers to. */
public final class ReadBack {

  private ReadBack() {}

  /** The uncompressed bytes of an event's payload. */
  public static byte[] read(DynamoDbClient dynamoDb, String table, String id) {
    Map<String, AttributeValue> event = item(dynamoDb, table, id);
    AttributeValue payload = requireNonNull(event.get("payload"));
    if (payload.s() != null) {
      return payload.s().getBytes(UTF_8);
    }
    AttributeValue parts = event.get("parts");
    try {
      ByteArrayOutputStream gzip = new ByteArrayOutputStream();
      gzip.write(payload.b().asByteArray());
      for (int part = 1; parts != null && part <= Integer.parseInt(parts.n()); part++) {
        Map<String, AttributeValue> next = item(dynamoDb, table, id + "#" + part);
        gzip.write(requireNonNull(next.get("payload")).b().asByteArray());
      }
      return new GZIPInputStream(new ByteArrayInputStream(gzip.toByteArray())).readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** An item; empty if there is none. */
  static Map<String, AttributeValue> item(DynamoDbClient dynamoDb, String table, String id) {
    return dynamoDb
        .getItem(get ->
            get.tableName(table).key(Map.of("id", AttributeValue.fromS(id))).consistentRead(true))
        .item();
  }
}
