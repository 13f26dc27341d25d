package dev.connectorevents.aws;

import static java.nio.charset.StandardCharsets.UTF_8;

import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The size of an item as DynamoDB counts it: names and values, in bytes (Developer Guide, "DynamoDB
 * item sizes and formats").
 */
final class ItemSize {

  /** The largest item, in bytes. */
  static final long LIMIT = 400 * 1024;

  private ItemSize() {}

  static long of(Item item) {
    return item.attributes().entrySet().stream()
        .mapToLong(attribute -> bytes(attribute.getKey()) + size(attribute.getValue()))
        .sum();
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
