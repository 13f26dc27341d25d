package dev.connectorevents.dynamodb;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Sizes as DynamoDB counts them, names and values, in bytes (Developer Guide, "DynamoDB item sizes
 * and formats").
 */
public final class ItemSize {

  /** The largest item. */
  public static final long LIMIT = 400 * 1024;

  /** The most that all items of one transaction may have together. */
  static final long TRANSACTION_LIMIT = 4 * 1024 * 1024;

  private static final int WRITE_UNIT = 1024;

  private ItemSize() {}

  static long of(Item item) {
    return of(item.attributes());
  }

  /** The size of an item with those attributes. */
  public static long of(Map<String, AttributeValue> attributes) {
    return attributes.entrySet().stream()
        .mapToLong(attribute -> of(attribute.getKey(), size(attribute.getValue())))
        .sum();
  }

  /** The size of an attribute whose value has that size. */
  public static long of(String name, long value) {
    return bytes(name) + value;
  }

  /** The write units that an item of that size costs, outside of a transaction. */
  public static long units(long itemSize) {
    return Math.ceilDiv(itemSize, WRITE_UNIT);
  }

  private static long size(AttributeValue value) {
    return switch (value.type()) {
      case S -> bytes(value.s());
      case B -> value.b().asByteArrayUnsafe().length;
      case N -> numberSize(value.n());
      default -> throw new IllegalArgumentException("no attribute of ours: " + value.type());
    };
  }

  /** About a byte for two digits and one more; counted generously, since it is not documented. */
  private static long numberSize(String number) {
    return number.length() / 2 + 2L;
  }

  private static long bytes(String text) {
    return text.getBytes(UTF_8).length;
  }
}
