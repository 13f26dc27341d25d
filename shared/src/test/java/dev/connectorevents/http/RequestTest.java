package dev.connectorevents.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Promise;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestTest {

  @ParameterizedTest
  @ValueSource(strings = {"", "{}", "é", "😀", "\0", "\ufeff"})
  void a_body_is_the_same_text_with_and_without_base64(String text) {
    String base64 = Base64.getEncoder().encodeToString(text.getBytes(UTF_8));

    assertThat(request(text, false).text()).hasValue(text);
    assertThat(request(base64, true).text()).hasValue(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "ab", "abc", "abcd", "é", "😀"})
  void a_body_has_the_size_of_its_bytes_with_and_without_base64(String text) {
    byte[] bytes = text.getBytes(UTF_8);

    assertThat(request(text, false).bodySize()).isEqualTo(bytes.length);
    assertThat(request(Base64.getEncoder().encodeToString(bytes), true).bodySize())
        .isEqualTo(bytes.length);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ff", "c3", "c328", "eda080", "f4908080", "c080"})
  @Promise("One JSON object in UTF-8.")
  void a_body_that_is_not_utf8_has_no_text(String hex) {
    String base64 = Base64.getEncoder().encodeToString(HexFormat.of().parseHex(hex));

    assertThat(request(base64, true).text()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"%", "a", "====", "é"})
  void a_body_that_is_not_base64_has_no_text(String body) {
    assertThat(request(body, true).text()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"\ud800", "\udc00x", "a\ude00\ud83d"})
  void a_body_with_half_a_surrogate_pair_has_no_text(String body) {
    assertThat(request(body, false).text()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ``              | {}
          a=b             | {a=[b]}
          a=gitlab.Push+Hook | {a=[gitlab.Push Hook]}
          a=x%20y%2Bz%25  | {a=[x y+z%]}
          a=b%26c%3Dd%23e | {a=[b&c=d#e]}
          a=b=c           | {a=[b=c]}
          a               | {a=[]}
          a=              | {a=[]}
          %61=%C3%A4%F0%9F%98%80 | {a=[ä😀]}
          a=1&a=2         | {a=[1, 2]}
          """)
  void a_query_is_decoded(String raw, String query) {
    assertThat(asked(raw).query()).hasValueSatisfying(it -> assertThat(it).hasToString(query));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a=%", "a=%f", "a=%zz", "%ff=b", "a=%ff", "a=%c3%28", "a=ä", "a=你"})
  @Promise("a query that is not percent-encoded UTF-8.")
  void a_query_that_is_not_percent_encoded_utf8_has_no_parameters(String raw) {
    assertThat(asked(raw).query()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"a=1&b=%ff&c=%, b", "a=%&b=1, a", "%ff=%ff&a%20b=%, a b", "a=1,", "%ff=1,", "%ff,"})
  @Promise("a query that is not percent-encoded UTF-8.")
  void the_parameter_that_is_not_percent_encoded_utf8_is_named(String raw, String name) {
    assertThat(asked(raw).undecodable()).isEqualTo(Optional.ofNullable(name));
  }

  private static Request asked(String rawQuery) {
    return new Request("r", "", "192.0.2.1", Map.of(), Map.of(), rawQuery, "", false);
  }

  private static Request request(String body, boolean base64) {
    return new Request("r", "192.0.2.1", Map.of(), body, base64);
  }
}
