package dev.connectorevents.eventformat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Json;
import dev.connectorevents.Promise;
import dev.connectorevents.event.Meta;
import dev.connectorevents.event.SentPayload;
import dev.connectorevents.json.Body;
import java.util.Map;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventReaderTest {

  @ParameterizedTest
  @MethodSource("payloads")
  @Promise("The service stores the payload **byte for byte**")
  void the_payload_is_cut_out_exactly_as_it_was_sent(String payload) {
    String text =
        "{ \"a\" : [1, {\"payload\": {}}] ,\t\"payload\" : %s , \"event_type\":\"x.y\" }"
            .formatted(payload);

    assertThat(payload(EventRequest.read(text)).text()).isEqualTo(payload);
  }

  static String[] payloads() {
    return new String[] {
      "{}",
      "{ }",
      "{\n}",
      "{\"n\":1.0}",
      "{\"n\":1E400}",
      "{\"n\":-0.0e-0}",
      "{\"n\":123456789012345678901234567890.123456789012345678901234567890}",
      "{\"n\":" + "9".repeat(5_000) + "}",
      "{\"s\":\"\\u00e9\"}",
      "{\"s\":\"é\"}",
      "{\"s\":\"\\ud83d\\ude00 😀 \\ud800\"}",
      "{\"s\":\"\\/ / \\\" \\\\ \\b\\f\\n\\r\\t }\"}",
      "{ \"a\" :\t1 ,\r\n \"b\":[ ] }",
      "{\"a\":1,\"a\":2,\"a\":{\"a\":1,\"a\":2}}",
      "{\"payload\":{\"payload\":{}}}",
      "{\"😀\":{\"_meta\":1}}",
      "{\"" + "k".repeat(60_000) + "\":\"" + "v".repeat(60_000) + "\"}",
      "{\"_meta\":{\"source\":\"x\"},\"after\":1}",
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{ \n }"})
  void an_object_without_members_is_empty(String payload) {
    assertThat(cut(payload).isEmpty()).isTrue();
  }

  @Test
  void a_payload_may_be_without_meta() {
    assertThat(cut("{\"a\":{\"_meta\":{}}}").sentMeta()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"_meta\":{\"k\":\"\\u00e9\",\"n\":\"1\"},\"a\":1}",
        "{\"a\":1,\"_meta\" : {\"k\":\"é\",\"n\":\"1\"}}",
        "{\"_m\\u0065ta\":{\"k\":\"é\",\"n\":\"1\"}}",
      })
  void meta_is_read_wherever_it_stands_in_the_payload(String payload) {
    assertThat(cut(payload).sentMeta().orElseThrow().meta())
        .isEqualTo(new Meta(Map.of("k", "é", "n", "1")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                                  | The body is empty. It must be one JSON object, as in {\"event_type\": …, \"payload\": {…}}.",
        "'  '                                | The body is empty. It must be one JSON object, as in {\"event_type\": …, \"payload\": {…}}.",
        "[]                                  | The body must be one JSON object, as in {\"event_type\": …, \"payload\": {…}}.",
        "\"text\"                            | The body is a JSON string. It must be one JSON object, as in {\"event_type\": …, \"payload\": {…}}: encode it",
        "null                                | The body must be one JSON object, as in {\"event_type\": …, \"payload\": {…}}.",
        "{} {}                               | The body must be one JSON object: something follows it.",
        "{\"a\":1,\"a\":1}                   | The body has a member twice",
        "{\"a\":null,\"a\":1}                | The body has a member twice",
        "{\"a\":1,\"\\u0061\":1}             | The body has a member twice",
        "{\"payload\":{},\"payload\":1}      | The body has a member twice",
        "{\"payload\":{\"_meta\":{\"a\":\"\",\"a\":\"\"}}} " + "| _meta has a member twice",
        "{\"payload\":{\"_meta\":{},\"_meta\":{}}} " + "| The payload has _meta twice",
        "{\"payload\":{\"_meta\":1,\"_meta\":{}}} " + "| The payload has _meta twice",
        "{                                   | The body ends before its JSON does: line 1, column 2",
        "{\"a\":\"b                            | The body ends before its JSON does: line 1, column 8",
        "{\"a\":\"b\\                          | The body ends before its JSON does: line 1, column 9",
        "event_type=a.b                      | The body is not JSON. It must be one JSON object, as in {\"event_type\": …, \"payload\": {…}}.",
        "<event/>                            | The body is not JSON. It must be one JSON object",
        "\ufeff{}                            | The body begins with a byte order mark (U+FEFF)",
        "{\"a\":\"b\tc\"}                      | The body has a control character in a string: line 1, column 8",
        "{\"a\tb\":1}                         | The body has a control character in a string: line 1, column 4",
        "{\"a\":\"C:\\Users\"}                 | The body has a backslash that escapes nothing: line 1, column 10",
        "{\"a\":\"c:\\users\"}                 | The body has \\u without four hex digits: line 1, column 11",
        "'{\"a\":\"\\u12\n\"}'                 | The body has \\u without four hex digits: line 1, column 11",
        "'{\"a\":\"\\\n\"}'                    | The body has a backslash that escapes nothing: line 1, column 8",
        "'{\"a\":\"b\nc\"}'                   | The body has a control character in a string: line 1, column 8",
        "'{\"a\": NaN\n}'                    | The body is not valid JSON: line 1, column 10",
        "'{\n \"price\": Infinity\n}'          | The body is not valid JSON: line 2, column 19",
        "'{\"a\":-\n}'                       | The body is not valid JSON: line 1, column 7",
        "'{\"a\":\u0001}'                      | The body is not valid JSON: line 1, column 7",
        "{\"a\":True}                          | The body is not valid JSON: line 1, column 6. Names and strings need double quotes; true, false and null are in lower case",
        "{\"a\" 1}                             | The body is not valid JSON: line 1, column 6",
        "{\"a\":}                            | The body is not valid JSON: line 1, column 6",
        "{} x                                | The body is not valid JSON: line 1, column 4",
      })
  @Promise("The body is not one JSON object in UTF-8")
  void a_body_that_is_not_one_unambiguous_object_is_malformed(String text, String detail) {
    assertThat(EventRequest.read(text))
        .isInstanceOfSatisfying(
            Body.Malformed.class, malformed -> assertThat(malformed.detail()).startsWith(detail));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'a':1}",
        "{a:1}",
        "{\"a\":01}",
        "{\"a\":+1}",
        "{\"a\":1,}",
        "{\"payload\":{\"a\":.5}}",
        "{\"payload\":{\"a\":\"\\q\"}}",
        "{/**/}",
        "{\"a\":1}\0",
        "{\"payload\":{]}"
      })
  void a_body_that_is_not_json_is_malformed(String text) {
    assertThat(EventRequest.read(text)).isInstanceOf(Body.Malformed.class);
  }

  @Test
  void a_fault_is_reported_without_quoting_what_was_sent() {
    assertThat(EventRequest.read("{\"password\": hunter2 }").toString()).doesNotContain("hunter");
  }

  @Test
  @Promise("is nested deeper than 1,000 levels")
  void nesting_has_a_limit() {
    int inner = Json.MAX_DEPTH - 2;
    String deepest = "{\"payload\":{\"a\":" + "[".repeat(inner) + "]".repeat(inner) + "}}";
    String deeper = deepest.replace("[]", "[[]]");

    assertThat(EventRequest.read(deepest)).isInstanceOf(Body.Invalid.class);
    assertThat(EventRequest.read(deeper))
        .isEqualTo(new Body.Malformed<>("The body is nested deeper than 1000 levels."));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{@}", "{\"payload\":{@}}", "{\"payload\":{\"_meta\":{@}}}"})
  @Timeout(20)
  void names_whose_hashes_collide_are_read_in_time(String body) {
    StringJoiner names = new StringJoiner(",");
    for (int i = 0; i < 1 << 16; i++) {
      StringBuilder name = new StringBuilder();
      for (int bit = 0; bit < 16; bit++) {
        name.append(((i >> bit) & 1) == 0 ? "Aa" : "BB"); // equal hash codes
      }
      names.add("\"" + name + "\":\"\"");
    }

    assertThat(EventRequest.read(body.replace("@", names.toString())))
        .isInstanceOf(Body.Invalid.class);
  }

  private static SentPayload cut(String payload) {
    return payload(EventRequest.read("{\"event_type\":\"x.y\",\"payload\":" + payload + "}"));
  }

  private static SentPayload payload(Body<EventRequest> body) {
    return ((Body.Read<EventRequest>) body).value().payload();
  }
}
