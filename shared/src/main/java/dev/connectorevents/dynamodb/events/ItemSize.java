package dev.connectorevents.dynamodb.events;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.dynamodb.Item;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Computes sizes as DynamoDB does, in bytes: of names and values (DynamoDB Developer Guide,
 * "DynamoDB item sizes and formats").
 */
public final class ItemSize {

  /** The largest size of an item, in bytes. */
  public static final long LIMIT = 400 * 1024;

  /**
   * Room for the conditions of any write of an event, and for the attributes that a later one adds.
   */
  private static final long ROOM_IN_TRANSACTION = 1024;

  /**
   * The largest total size of an event's items, in bytes. DynamoDB refuses a transaction of more
   * than 4 MB, and counts its conditions too.
   */
  public static final long TRANSACTION_LIMIT = 4 * 1024 * 1024 - ROOM_IN_TRANSACTION;

  private static final int WRITE_UNIT = 1024;

  private ItemSize() {}

  public static long of(Item item) {
    return of(item.attributes());
  }

  /** The size of an item with these attributes. */
  public static long of(Map<String, AttributeValue> attributes) {
    return attributes.entrySet().stream()
        .mapToLong(attribute -> of(attribute.getKey(), size(attribute.getValue())))
        .sum();
  }

  /**
   * The size of an attribute.
   *
   * @param value the size of its value
   */
  public static long of(String name, long value) {
    return bytes(name) + value;
  }

  /** The write units that an item of this size costs; twice as many in a transaction. */
  public static long units(long itemSize) {
    return Math.ceilDiv(itemSize, WRITE_UNIT);
  }

  private static long size(AttributeValue value) {
    return switch (value.type()) {
      case S -> bytes(value.s());
      case B -> value.b().asByteArrayUnsafe().length;
      case N -> numberSize(value.n());
      default ->
          throw new IllegalArgumentException("no item has an attribute of type " + value.type());
    };
  }

  /** One byte per two digits, plus one; rounded up, since AWS documents only an approximation. */
  private static long numberSize(String number) {
    return number.length() / 2 + 2L;
  }

  private static long bytes(String text) {
    return text.getBytes(UTF_8).length;
  }
}
