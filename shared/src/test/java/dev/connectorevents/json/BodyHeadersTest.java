package dev.connectorevents.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.http.Request;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BodyHeadersTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/json",
        "Application/JSON",
        " application/json ; charset=utf-8",
        "application/json;charset=UTF8",
        "application/json; charset=\"utf-8\"",
        "application/json; version=1; charset=utf-8",
        "application/problem+json",
        "application/vnd.shopify.v1+json; profile=x",
        ""
      })
  void json_in_utf8_is_accepted(String contentType) {
    assertThat(isUnsupported(Map.of("content-type", contentType))).isFalse();
  }

  @Test
  void a_missing_content_type_is_taken_as_json() {
    assertThat(isUnsupported(Map.of())).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/xml",
        "application/jsonp",
        "application/+jso",
        "text/json",
        "json",
        "+json",
        "application/json, text/plain",
        "application/json; charset=iso-8859-1",
        "application/json; charset=utf-16",
        "application/json; charset",
        "application/json; charset=",
        "application/json; charset=\"ut\"f-8",
        "application/json; charset=\"utf-8"
      })
  void anything_else_is_an_unsupported_media_type(String contentType) {
    assertThat(isUnsupported(Map.of("content-type", contentType))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "identity", " Identity "})
  void a_body_that_is_not_compressed_is_accepted(String encoding) {
    assertThat(isUnsupported(Map.of("content-encoding", encoding))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "br", "identity, gzip", "x"})
  void a_compressed_body_is_an_unsupported_media_type(String encoding) {
    assertThat(isUnsupported(Map.of("content-encoding", encoding))).isTrue();
  }

  private static boolean isUnsupported(Map<String, String> headers) {
    Request request = new Request("r", "192.0.2.1", headers, "{}", false);
    return BodyReader.readStrings(request, "", Body.Read::new) instanceof Body.Unsupported<?>;
  }
}
