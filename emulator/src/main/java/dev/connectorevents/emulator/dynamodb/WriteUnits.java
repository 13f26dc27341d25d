package dev.connectorevents.emulator.dynamodb;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Computes write units where DynamoDB Local reports none, or too few: it counts items of a
 * transaction that take equally many units only once. AWS names no overhead of a set, so there is
 * none here.
 *
 * @see <a
 *     href="https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-capacity-handling">Capacity
 *     management for transactions</a>
 * @see <a
 *     href="https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html">Item
 *     sizes and formats</a>
 */
final class WriteUnits {

  private static final long WRITE_UNIT = 1024;

  private WriteUnits() {}

  /** One for each started kilobyte of the item. */
  static double of(Map<String, AttributeValue> item) {
    return Math.ceilDiv(size(item, 0), WRITE_UNIT);
  }

  /** Two for each started kilobyte of each item. */
  static double ofTransaction(List<Map<String, AttributeValue>> items) {
    return items.stream().mapToDouble(item -> 2 * of(item)).sum();
  }

  private static long size(Map<String, AttributeValue> attributes, long overheadOfEach) {
    return attributes.entrySet().stream()
        .mapToLong(
            attribute -> overheadOfEach + bytes(attribute.getKey()) + size(attribute.getValue()))
        .sum();
  }

  private static long size(AttributeValue value) {
    return switch (value.type()) {
      case S -> bytes(value.s());
      case N -> digits(value.n());
      case B -> bytes(value.b());
      case BOOL, NUL -> 1;
      case L -> 3 + value.l().stream().mapToLong(element -> 1 + size(element)).sum();
      case M -> 3 + size(value.m(), 1);
      case SS -> value.ss().stream().mapToLong(WriteUnits::bytes).sum();
      case NS -> value.ns().stream().mapToLong(WriteUnits::digits).sum();
      case BS -> value.bs().stream().mapToLong(WriteUnits::bytes).sum();
      case UNKNOWN_TO_SDK_VERSION ->
          throw new IllegalArgumentException("the size of an attribute without a type is unknown");
    };
  }

  private static long bytes(String text) {
    return text.getBytes(UTF_8).length;
  }

  private static long bytes(SdkBytes binary) {
    return binary.asByteArrayUnsafe().length;
  }

  /** One byte per two significant digits, plus one; AWS calls this an approximation. */
  private static long digits(String number) {
    return (new BigDecimal(number).stripTrailingZeros().precision() + 1L) / 2 + 1;
  }
}
