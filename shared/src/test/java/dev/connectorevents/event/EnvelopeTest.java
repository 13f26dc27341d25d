package dev.connectorevents.event;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class EnvelopeTest {

  @ParameterizedTest
  @MethodSource("payloads")
  void the_payload_is_cut_out_exactly_as_it_was_sent(String payload) {
    String text = "{ \"a\" : [1, {\"payload\": {}}] ,\t\"payload\" : " + payload + " , \"z\":1 }";

    assertThat(read(text).get("payload"))
        .isInstanceOfSatisfying(Value.Cut.class, cut -> assertThat(cut.text()).isEqualTo(payload));
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
    assertThat(cut("{\"a\":{\"_meta\":{}}}").meta()).isNull();
  }

  @Test
  void meta_is_read_wherever_it_stands_in_the_payload() {
    Value meta = new Value.Members(Map.of("k", new Value.Text("é"), "n", new Value.Whole("1")));

    assertThat(meta("{\"_meta\":{\"k\":\"\\u00e9\",\"n\":1},\"a\":1}")).isEqualTo(meta);
    assertThat(meta("{\"a\":1,\"_meta\" : {\"k\":\"é\",\"n\":1}}")).isEqualTo(meta);
    assertThat(meta("{\"_m\\u0065ta\":{\"k\":\"é\",\"n\":1}}")).isEqualTo(meta);
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "[]", "true", "1.5"})
  void meta_that_is_no_object_is_something_else(String meta) {
    assertThat(meta("{\"_meta\":" + meta + "}")).isEqualTo(new Value.Other());
  }

  @Test
  void members_are_told_apart_by_their_type_and_null_counts_as_absent() {
    assertThat(
            read(
                """
                {"text":"a\\tb","whole":-12,"fraction":1.0,"exponent":1e3,
                 "bool":true,"array":[1],"object":{},"null":null,"payload":"{}"}\
                """))
        .containsOnly(
            Map.entry("text", new Value.Text("a\tb")),
            Map.entry("whole", new Value.Whole("-12")),
            Map.entry("fraction", new Value.Other()),
            Map.entry("exponent", new Value.Other()),
            Map.entry("bool", new Value.Other()),
            Map.entry("array", new Value.Other()),
            Map.entry("object", new Value.Other()),
            Map.entry("payload", new Value.Text("{}")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                                  | The body must be a JSON object.",
        "'  '                                | The body must be a JSON object.",
        "[]                                  | The body must be a JSON object.",
        "\"text\"                            | The body must be a JSON object.",
        "null                                | The body must be a JSON object.",
        "{} {}                               | Something follows the JSON object.",
        "{\"a\":1,\"a\":1}                   | A name appears twice in the body.",
        "{\"a\":null,\"a\":1}                | A name appears twice in the body.",
        "{\"a\":1,\"\\u0061\":1}             | A name appears twice in the body.",
        "{\"payload\":{},\"payload\":1}      | A name appears twice in the body.",
        "{\"payload\":{\"_meta\":{\"a\":\"\",\"a\":\"\"}}} "
            + "| A name appears twice in payload._meta.",
        "{\"payload\":{\"_meta\":{},\"_meta\":{}}} "
            + "| A name appears twice in payload, namely _meta.",
        "{\"payload\":{\"_meta\":1,\"_meta\":{}}} "
            + "| A name appears twice in payload, namely _meta.",
        "{                                   | The body is not valid JSON: line 1, column 2.",
        "{\"a\":}                            | The body is not valid JSON: line 1, column 6.",
        "{} x                                | The body is not valid JSON: line 1, column 4.",
      })
  void what_is_not_one_object_without_doubt_is_malformed(String text, String detail) {
    assertThat(Envelope.read(text)).isEqualTo(new Envelope.Malformed(detail));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'a':1}",
        "{a:1}",
        "{\"a\":01}",
        "{\"a\":+1}",
        "{\"a\":NaN}",
        "{\"a\":1,}",
        "{\"a\" 1}",
        "{\"a\":\"\\x\"}",
        "{\"a\":\"\u0001\"}",
        "{\"a\":\"\\u12\"}",
        "{\"payload\":{\"a\":.5}}",
        "{\"payload\":{\"a\":\"\\q\"}}",
        "{/**/}",
        "\ufeff{\"a\":1}",
        "{\"a\":1}\0",
        "{\"payload\":{]}"
      })
  void what_is_not_json_is_malformed(String text) {
    assertThat(Envelope.read(text)).isInstanceOf(Envelope.Malformed.class);
  }

  @Test
  void a_fault_is_reported_without_quoting_what_was_sent() {
    assertThat(Envelope.read("{\"password\": hunter2 }").toString()).doesNotContain("hunter");
  }

  @Test
  void nesting_has_a_limit() {
    int inner = EnvelopeReader.MAX_DEPTH - 2;
    String deepest = "{\"payload\":{\"a\":" + "[".repeat(inner) + "]".repeat(inner) + "}}";
    String deeper = deepest.replace("[]", "[[]]");

    assertThat(read(deepest)).containsKey("payload");
    assertThat(Envelope.read(deeper))
        .isEqualTo(new Envelope.Malformed("The body is nested deeper than 1000 levels."));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{@}", "{\"payload\":{@}}", "{\"payload\":{\"_meta\":{@}}}"})
  @Timeout(20)
  void names_that_collide_do_no_harm(String body) {
    StringJoiner names = new StringJoiner(",");
    for (int i = 0; i < 1 << 16; i++) {
      StringBuilder name = new StringBuilder();
      for (int bit = 0; bit < 16; bit++) {
        name.append(((i >> bit) & 1) == 0 ? "Aa" : "BB"); // the same hash
      }
      names.add("\"" + name + "\":\"\"");
    }

    assertThat(Envelope.read(body.replace("@", names.toString())))
        .isInstanceOf(Envelope.Read.class);
  }

  private static Value meta(String payload) {
    return requireNonNull(cut(payload).meta()).value();
  }

  private static Value.Cut cut(String payload) {
    return (Value.Cut) requireNonNull(read("{\"payload\":" + payload + "}").get("payload"));
  }

  private static Map<String, Value> read(String text) {
    return ((Envelope.Read) Envelope.read(text)).members();
  }
}
