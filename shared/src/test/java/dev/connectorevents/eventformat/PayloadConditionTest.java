package dev.connectorevents.eventformat;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PayloadConditionTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"customer":{"id":207119551}}        | /customer/id  | 207119551   | true
          {"customer":{"id":"207119551"}}      | /customer/id  | 207119551   | false
          {"customer":{"id":207119551}}        | /customer/id  | "207119551" | false
          {"customer":{"id":2071195510}}       | /customer/id  | 207119551   | false
          {"customer":{"id":207119551.0}}      | /customer/id  | 207119551   | true
          {"customer":{"id":2.07119551e8}}     | /customer/id  | 207119551   | true
          {"id":9007199254740993}              | /id           | 9007199254740992 | false
          {"id":1E400}                         | /id           | 10E399      | true
          {"id":1E999999999999}                | /id           | 1E999999999999 | true
          {"id":1E999999999999}                | /id           | 1           | false
          {"id":-0}                            | /id           | 0           | true
          {"a":"x"}                            | /a            | "x"         | true
          {"a":"\\u0078"}                      | /a            | "x"         | true
          {"a":"X"}                            | /a            | "x"         | false
          {"a":true}                           | /a            | true        | true
          {"a":true}                           | /a            | false       | false
          {"a":"true"}                         | /a            | true        | false
          {"a":null}                           | /a            | null        | true
          {}                                   | /a            | null        | false
          {"a":1,"a":2}                        | /a            | 1           | true
          {"a":1,"a":2}                        | /a            | 2           | true
          {"a":{"b":1},"a":{"b":2}}            | /a/b          | 1           | true
          {"lines":[{"sku":"a"},{"sku":"b"}]}  | /lines/1/sku  | "b"         | true
          {"lines":[{"sku":"a"},{"sku":"b"}]}  | /lines/0/sku  | "b"         | false
          {"lines":{"1":{"sku":"b"}}}          | /lines/1/sku  | "b"         | true
          {"a/b":{"m~n":1}}                    | /a~1b/m~0n    | 1           | true
          {"a":{"b":1}}                        | /a            | 1           | false
          {"":1}                               | /             | 1           | true
          {"é":"ü"}                            | /é            | "ü"         | true
          {"b":{"a":1}}                        | /a            | 1           | false
          """)
  void a_payload_fulfils_a_condition_by_what_it_has_at_the_pointer(
      String payload, String pointer, String value, boolean holds) throws IOException {
    assertThat(holds(payload, condition(pointer, value))).isEqualTo(holds);
  }

  @Test
  void numbers_of_more_than_a_thousand_characters_are_compared_as_texts() throws IOException {
    String digits = "1".repeat(1_001);

    assertThat(holds("{\"n\":" + digits + "}", number("/n", digits))).isTrue();
    assertThat(holds("{\"n\":" + digits + ".0}", number("/n", digits))).isFalse();
    assertThat(holds("{\"n\":1}", number("/n", "1." + "0".repeat(998)))).isTrue();
    assertThat(holds("{\"n\":1}", number("/n", "1." + "0".repeat(999)))).isFalse();
    assertThat(holds("{\"n\":1." + "0".repeat(998) + "}", number("/n", "1"))).isTrue();
    assertThat(holds("{\"n\":1." + "0".repeat(999) + "}", number("/n", "1"))).isFalse();
  }

  @Test
  void any_of_several_conditions_suffices() throws IOException {
    PayloadCondition first = condition("/a", "1");
    PayloadCondition second = condition("/b", "2");

    assertThat(holds("{\"b\":2}", first, second)).isTrue();
    assertThat(holds("{\"b\":1,\"a\":2}", first, second)).isFalse();
  }

  private static boolean holds(String payload, PayloadCondition... conditions) throws IOException {
    return PayloadCondition.anyHolds(
        List.of(conditions), new ByteArrayInputStream(payload.getBytes(UTF_8)));
  }

  private static PayloadCondition condition(String pointer, String value) throws IOException {
    if (value.contains("E")) {
      return number(pointer, value);
    }
    JsonNode node = JSON.readTree(value);
    return new PayloadCondition(
        JsonPointer.compile(pointer), new PayloadCondition.Scalar(node.asToken(), node.asText()));
  }

  private static PayloadCondition number(String pointer, String text) {
    return new PayloadCondition(
        JsonPointer.compile(pointer),
        new PayloadCondition.Scalar(JsonToken.VALUE_NUMBER_FLOAT, text));
  }
}
