package dev.connectorevents.erasure;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.Promise;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
          {"a":1}                              | /a/b          | 1           | false
          {"":1}                               | /             | 1           | true
          {"é":"ü"}                            | /é            | "ü"         | true
          {"b":{"a":1}}                        | /a            | 1           | false
          {"to":["a","b"]}                     | /to/*         | "b"         | true
          {"to":["a","b"]}                     | /to/*         | "c"         | false
          {"to":[["a"],["b"]]}                 | /to/*         | "b"         | false
          {"to":[["a"],["b"]]}                 | /to/*/*       | "b"         | true
          {"events":[{"to":["a"]},{"to":[1]}]} | /events/*/to/* | 1          | true
          {"to":[{"*":1}]}                     | /to/*/*       | 1           | true
          {"to":{"*":1}}                       | /to/*         | 1           | true
          {"to":{"x":1}}                       | /to/*         | 1           | false
          {"to":["a","b"]}                     | /to/01        | "b"         | false
          {"to":["a","b"]}                     | /to/-         | "b"         | false
          {"a":[1,{"a":[2,3]},4],"b":5}        | /b            | 5           | true
          """)
  @Promise({
    "`pointer` is a JSON Pointer (RFC 6901) into the payload",
    "Numbers are equal by value, as `1.0` and `1`.",
    "If a payload repeats a name, any of its values may match."
  })
  void a_payload_fulfils_a_condition_by_what_it_has_at_the_pointer(
      String payload, String pointer, String value, boolean holds) throws IOException {
    assertThat(holds(payload, condition(pointer, value))).isEqualTo(holds);
  }

  @Test
  @Promise("If one has more than 1,000 characters, its text must be the same.")
  void numbers_of_more_than_a_thousand_characters_are_compared_as_texts() throws IOException {
    String digits = "1".repeat(1_001);

    assertThat(holds("{\"n\":" + digits + "}", number("/n", digits))).isTrue();
    assertThat(holds("{\"n\":" + digits + ".0}", number("/n", digits))).isFalse();
    assertThat(holds("{\"n\":1}", number("/n", "1." + "0".repeat(998)))).isTrue();
    assertThat(holds("{\"n\":1}", number("/n", "1." + "0".repeat(999)))).isFalse();
    assertThat(holds("{\"n\":1." + "0".repeat(998) + "}", number("/n", "1"))).isTrue();
    assertThat(holds("{\"n\":1." + "0".repeat(999) + "}", number("/n", "1"))).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          Ann@Example.com   | ann@example.COM     | true
          Ann@Example.com   | ann@example.co      | false
          STRASSE           | straße              | true
          ΟΔΟΣ              | οδος                | true
          ΟΔΟΣ              | οδοσ                | true
          José        | josé                | true
          JOSÉ        | jose                | false
          ŉ                 | ʼN                  | true
          ``                | y                   | false
          1                 | 1                   | true
          """)
  @Promise("strings that differ at most in their case or in their Unicode form")
  void a_condition_may_ignore_case_and_form(String found, String wanted, boolean holds)
      throws IOException {
    String payload = JSON.writeValueAsString(Map.of("to", List.of("x", found)));

    assertThat(holds(payload, PayloadCondition.equalIgnoringCase("/to/*", wanted)))
        .isEqualTo(holds);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a value                        | zoe@example.com | true  | {"email":"zoe@example.com"}
          a value deep inside            | zoe@example.com | true  | {"data":{"contact":{"email":"zoe@example.com"}}}
          a value in another case        | zoe@example.com | true  | {"email":"Zoe@Example.COM"}
          with a space at its end        | zoe@example.com | true  | {"email":"zoe@example.com "}
          a value of an array            | zoe@example.com | true  | {"to":["ann@example.com","zoe@example.com"]}
          a value of a wrapped body      | zoe@example.com | true  | {"payload":[{"email":"zoe@example.com"}]}
          a value in _meta               | zoe@example.com | true  | {"n":1,"_meta":{"brand_id":"zoe@example.com"}}
          in a sentence                  | zoe@example.com | true  | {"text":"Please write to zoe@example.com."}
          in HTML, in a link             | zoe@example.com | true  | {"html":"<a href=\\"mailto:zoe@example.com\\">"}
          in a URL, as it is             | zoe@example.com | true  | {"url":"https://a.com/?email=zoe@example.com"}
          with an escape of JSON         | zoe@example.com | true  | {"email":"zoe\\u0040example.com"}
          in a JSON text inside a text   | zoe@example.com | true  | {"body":"{\\"email\\":\\"zoe@example.com\\"}"}
          a part of a longer address     | zoe@example.com | true  | {"email":"mary-zoe@example.com.au"}
          with accents, composed or not  | Zoë Müller      | true  | {"name":"ZOE\\u0308 MU\\u0308LLER"}
          with letters that grow         | Hauptstraße 1   | true  | {"address1":"HAUPTSTRASSE 1"}
          a number as a text             | 207119551       | true  | {"customer_id":"207119551"}
          a global id                    | 207119551       | true  | {"customer":"gid://shopify/Customer/207119551"}
          a number                       | 207119551       | false | {"customer":{"id":207119551}}
          the name of a member           | zoe@example.com | false | {"zoe@example.com":{"opened":true}}
          two members                    | zoe@example.com | false | {"local":"zoe","domain":"example.com"}
          percent-encoded                | zoe@example.com | false | {"url":"https://a.com/?email=zoe%40example.com"}
          an entity of HTML              | zoe@example.com | false | {"html":"zoe&#64;example.com"}
          an escape of JSON in a text    | zoe@example.com | false | {"b":"{\\"email\\":\\"zoe\\\\u0040example.com\\"}"}
          Base64                         | zoe@example.com | false | {"raw":"em9lQGV4YW1wbGUuY29t"}
          a hash                         | zoe@example.com | false | {"email_md5":"76cec4168e20ad317a8afb3a81ae3fce"}
          with a space inside            | +49301234567    | false | {"phone":"+49 30 1234567"}
          an alias                       | zoe@example.com | false | {"email":"zoe+shop@example.com"}
          without accents                | Zoe Muller      | false | {"name":"Zoë Müller"}
          """)
  @Promise({
    "**It finds the text in any string value of the payload**",
    "**It does not find** a number, the name of a member"
  })
  void a_search_finds_a_text_in_any_string_value_of_the_payload(
      String where, String text, boolean isFound, String payload) throws IOException {
    assertThat(holds(payload, PayloadCondition.contains(Optional.empty(), text)))
        .as(where)
        .isEqualTo(isFound);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"to":["x",{"email":"Ann@Example.com "}]} | ann@example.com | /to/*/email
          {"a":"ann","b":{"a":"to Ann or ann"}}     | ann             | /a /b/a
          {"to":["ann",["Ann"],"ANN"]}              | ann             | /to/* /to/*/*
          {"a":"José"}                        | josé            | /a
          {"a":"José"}                        | jose            | ``
          {"a":"\\u0061nn"}                       | ann             | /a
          {"a":"\\ud83d\\ude00 Ann"}            | 😀 ann          | /a
          {"a":207119551,"b":true,"c":null}         | 207             | ``
          {"a":true}                                | true            | ``
          {"a/b":{"m~n":"ann"}}                     | ann             | /a~1b/m~0n
          {"_meta":{"brand_id":"ann"}}              | ann             | /_meta/brand_id
          {"a":"{\\"b\\":\\"ann\\"}"}       | ann             | /a
          {"a":"an"}                                | ann             | ``
          """)
  @Promise("Without a `pointer`, it looks in every string value of the payload")
  void a_text_is_found_in_any_string_value_with_its_places(
      String payload, String wanted, String pointers) throws IOException {
    PayloadConditions.Places places = new PayloadConditions.Places();
    PayloadConditions conditions =
        new PayloadConditions(List.of(PayloadCondition.contains(Optional.empty(), wanted)));

    boolean holds = conditions.anyHolds(stream(payload), new PayloadConditions.Hints(3), places);

    assertThat(holds).isEqualTo(!pointers.isEmpty());
    assertThat(String.join(" ", places.pointers())).isEqualTo(pointers);
    assertThat(places.hasMore()).isFalse();
    assertThat(holds(payload, PayloadCondition.contains(Optional.empty(), wanted)))
        .isEqualTo(holds);
  }

  @Test
  @Promise("finds string values that have it in them, compared in the same way.")
  void a_text_may_be_looked_for_at_one_place_beside_other_conditions() throws IOException {
    PayloadCondition there = PayloadCondition.contains(Optional.of("/a/*"), "ann");

    assertThat(holds("{\"a\":[\"x\",\"Joanna\"]}", there)).isTrue();
    assertThat(holds("{\"b\":\"Joanna\",\"a\":[1]}", there)).isFalse();
    PayloadConditions both =
        new PayloadConditions(
            List.of(number("/n", "5"), PayloadCondition.contains(Optional.empty(), "ann")));
    PayloadConditions.Places places = new PayloadConditions.Places();
    assertThat(
            both.anyHolds(
                stream("{\"n\":5,\"b\":\"ann\"}"), new PayloadConditions.Hints(0), places))
        .isTrue();
    assertThat(places.pointers()).containsExactly("/n", "/b");
  }

  @Test
  @Promise("`places` are of this call: the 20 with the most events.")
  void of_many_places_some_are_kept_and_a_long_one_is_cut() throws IOException {
    String members =
        IntStream.range(0, 30).mapToObj(n -> "\"" + n + "\":\"ann\"").collect(joining(","));
    PayloadConditions conditions =
        new PayloadConditions(List.of(PayloadCondition.contains(Optional.empty(), "ann")));
    PayloadConditions.Places many = new PayloadConditions.Places();
    PayloadConditions.Places cut = new PayloadConditions.Places();
    PayloadConditions.Hints none = new PayloadConditions.Hints(0);

    assertThat(conditions.anyHolds(stream("{" + members + "}"), none, many)).isTrue();
    conditions.anyHolds(stream("{\"" + "n".repeat(300) + "\":\"ann\"}"), none, cut);

    assertThat(many.pointers()).hasSize(20);
    assertThat(many.hasMore()).isTrue();
    assertThat(cut.pointers()).containsExactly("/" + "n".repeat(254) + "…");
  }

  @Test
  @Promise("It is a string of 3 to 255 characters")
  void a_text_that_nearly_all_payloads_contain_is_refused() {
    assertThat(PayloadCondition.isContainable("ab")).isFalse();
    assertThat(PayloadCondition.isContainable("a😀")).isFalse();
    assertThat(PayloadCondition.isContainable("abc")).isTrue();
    assertThat(PayloadCondition.isContainable("a".repeat(255))).isTrue();
    assertThat(PayloadCondition.isContainable("a".repeat(256))).isFalse();
  }

  @Test
  @Promise("strings that differ at most in their case or in their Unicode form")
  void only_a_string_is_compared_without_its_case() throws IOException {
    assertThat(holds("{\"a\":1}", PayloadCondition.equalIgnoringCase("/a", "1"))).isFalse();
    assertThat(holds("{\"a\":true}", PayloadCondition.equalIgnoringCase("/a", "TRUE"))).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"a":"55"}       | {"pointer":"/a","equals":55}     | as a string: {"pointer":"/a","equals":"55"}
          {"a":"55.0"}     | {"pointer":"/a","equals":55}     | as a string: {"pointer":"/a","equals":"55.0"}
          {"a":55}         | {"pointer":"/a","equals":"55"}   | as a number: {"pointer":"/a","equals":55}
          {"a":5.5e1}      | {"pointer":"/a","equals":"55"}   | as a number: {"pointer":"/a","equals":5.5e1}
          {"a":true}       | {"pointer":"/a","equals":"true"} | as a boolean: {"pointer":"/a","equals":true}
          {"a":"null"}     | {"pointer":"/a","equals":null}   | as a string: {"pointer":"/a","equals":"null"}
          {"a":["B"]}      | {"pointer":"/a/*","equals":"b"}  | in another case or form: {"pointer":"/a/*","equals_ignoring_case":"b"}
          {"a":"é"}  | {"pointer":"/a","equals":"é"} | in another case or form: {"pointer":"/a","equals_ignoring_case":"é"}
          {"\\"":"1"}      | {"pointer":"/\\"","equals":1}    | as a string: {"pointer":"/\\"","equals":"1"}
          {"a":55}         | {"pointer":"/a","equals_ignoring_case":"55"} | as a number: {"pointer":"/a","equals":55}
          {"a":"9.0"}      | {"pointer":"/a","equals":9}      | as a string: {"pointer":"/a","equals":"9.0"}
          {"a":"56"}       | {"pointer":"/a","equals":55}     | ``
          {"a":"+55"}      | {"pointer":"/a","equals":55}     | ``
          {"a":"x"}        | {"pointer":"/a","equals":55}     | ``
          {"a":"Ann "}     | {"pointer":"/a","equals_ignoring_case":"ann"} | inside a longer text: {"pointer":"/a","contains":"ann"}
          {"a":"ask Ann!"} | {"pointer":"/a","equals":"ann"}  | inside a longer text: {"pointer":"/a","contains":"ann"}
          {"a":"to Jo"}    | {"pointer":"/a","equals":"Jo"}   | ``
          {"a":"x"}        | {"pointer":"/a","contains":"Ann"} | ``
          {"b":"55"}       | {"pointer":"/a","equals":55}     | ``
          {"a":56}         | {"pointer":"/a","equals":55}     | ``
          {"a":true}       | {"pointer":"/a","equals":1}      | ``
          """)
  @Promise("at most three conditions that would have matched")
  void a_hint_is_the_condition_that_would_have_matched(
      String payload, String condition, String hint) throws IOException {
    PayloadConditions.Hints hints = new PayloadConditions.Hints(3);
    PayloadConditions conditions = new PayloadConditions(List.of(condition(condition)));

    assertThat(conditions.anyHolds(stream(payload), hints)).isFalse();

    assertThat(String.join("", hints.texts()))
        .isEqualTo(hint.isEmpty() ? "" : "an event has it " + hint);
  }

  @Test
  @Promise("at most three conditions that would have matched")
  void each_hint_is_given_once_and_there_are_no_more_than_there_is_room_for() throws IOException {
    PayloadConditions.Hints hints = new PayloadConditions.Hints(3);
    PayloadConditions conditions =
        new PayloadConditions(List.of(PayloadCondition.equal("/*", number("1"))));

    conditions.anyHolds(stream("[\"1\",\"1.0\",\"1\",\"1.00\",\"1.000\"]"), hints);

    assertThat(hints.texts()).hasSize(3).doesNotHaveDuplicates();
  }

  @Test
  void a_hint_is_about_the_place_of_its_own_condition() throws IOException {
    PayloadConditions.Hints hints = new PayloadConditions.Hints(3);
    PayloadConditions conditions =
        new PayloadConditions(
            List.of(condition("/a", "\"x\""), condition("/b", "1"), condition("/c", "2")));

    conditions.anyHolds(stream("{\"a\":\"1\",\"c\":\"2\"}"), hints);

    assertThat(hints.texts()).singleElement().asString().contains("/c");
  }

  @Test
  @Promise("of which one suffices.")
  void any_of_several_conditions_suffices() throws IOException {
    PayloadCondition first = condition("/a", "1");
    PayloadCondition second = condition("/b", "2");

    assertThat(holds("{\"b\":2}", first, second)).isTrue();
    assertThat(holds("{\"b\":1,\"a\":2}", first, second)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "{\"a\":[", "nul", "{\"a\":1 2}"})
  void what_is_no_json_is_not_judged(String payload) {
    assertThatIOException().isThrownBy(() -> holds(payload, condition("/b", "1")));
  }

  private static boolean holds(String payload, PayloadCondition... conditions) throws IOException {
    return new PayloadConditions(List.of(conditions))
        .anyHolds(stream(payload), new PayloadConditions.Hints(0));
  }

  private static InputStream stream(String payload) {
    return new ByteArrayInputStream(payload.getBytes(UTF_8));
  }

  private static PayloadCondition condition(String json) throws IOException {
    JsonNode condition = JSON.readTree(json);
    String pointer = condition.get("pointer").textValue();
    if (condition.has("contains")) {
      return PayloadCondition.contains(Optional.of(pointer), condition.get("contains").textValue());
    }
    return condition.has("equals")
        ? condition(pointer, condition.get("equals").toString())
        : PayloadCondition.equalIgnoringCase(
            pointer, condition.get("equals_ignoring_case").textValue());
  }

  private static PayloadCondition condition(String pointer, String value) throws IOException {
    if (value.contains("E")) {
      return number(pointer, value);
    }
    JsonNode node = JSON.readTree(value);
    return PayloadCondition.equal(pointer, JsonScalar.of(node.asToken(), node.asText()));
  }

  private static PayloadCondition number(String pointer, String text) {
    return PayloadCondition.equal(pointer, number(text));
  }

  private static JsonScalar number(String text) {
    return JsonScalar.of(JsonToken.VALUE_NUMBER_FLOAT, text);
  }
}
