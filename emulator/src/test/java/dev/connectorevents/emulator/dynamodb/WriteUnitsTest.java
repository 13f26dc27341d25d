package dev.connectorevents.emulator.dynamodb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

class WriteUnitsTest {

  private static final AttributeValue TEXT = AttributeValue.fromS("é");
  private static final AttributeValue TRUE = AttributeValue.fromBool(true);

  static Stream<Arguments> values() {
    return Stream.of(
        Arguments.of(TEXT, 2),
        Arguments.of(AttributeValue.fromN("-12.300"), 3),
        Arguments.of(AttributeValue.fromB(bytes("abc")), 3),
        Arguments.of(TRUE, 1),
        Arguments.of(AttributeValue.fromNul(true), 1),
        Arguments.of(AttributeValue.fromL(List.of()), 3),
        Arguments.of(AttributeValue.fromL(List.of(TEXT, TRUE)), 3 + 1 + 2 + 1 + 1),
        Arguments.of(AttributeValue.fromM(Map.of()), 3),
        Arguments.of(AttributeValue.fromM(Map.of("é", TEXT, "t", TRUE)), 3 + 1 + 4 + 1 + 2),
        Arguments.of(
            AttributeValue.fromL(List.of(AttributeValue.fromM(Map.of("t", TRUE)))), 3 + 1 + 3 + 3),
        Arguments.of(AttributeValue.fromSs(List.of("a", "é")), 3),
        Arguments.of(AttributeValue.fromNs(List.of("1", "1234")), 2 + 3),
        Arguments.of(AttributeValue.fromBs(List.of(bytes("a"), bytes("bc"))), 3));
  }

  private static SdkBytes bytes(String text) {
    return SdkBytes.fromString(text, UTF_8);
  }

  /** Fills an item to exactly 1 KB, and then adds one byte, which takes more write units. */
  @ParameterizedTest
  @MethodSource("values")
  void each_type_has_the_size_that_aws_documents(AttributeValue value, int size) {
    int rest = 1024 - "value".length() - size - "fill".length();

    assertThat(WriteUnits.ofTransaction(List.of(item(value, rest)))).isEqualTo(2);
    assertThat(WriteUnits.ofTransaction(List.of(item(value, rest + 1)))).isEqualTo(4);
  }

  @Test
  void each_item_of_a_transaction_counts() {
    Map<String, AttributeValue> item = item(TEXT, 2000);

    assertThat(WriteUnits.ofTransaction(List.of(item, item, item(TEXT, 1)))).isEqualTo(4 + 4 + 2);
  }

  private static Map<String, AttributeValue> item(AttributeValue value, int fill) {
    return Map.of("value", value, "fill", AttributeValue.fromS("f".repeat(fill)));
  }
}
