package dev.connectorevents.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonBodyTest {

  private final Handler handler = JsonBody.required(request -> Response.json(200, Map.of()));

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
    assertThat(status(Map.of("content-type", contentType))).isEqualTo(200);
  }

  @Test
  void a_missing_content_type_is_taken_as_json() {
    assertThat(status(Map.of())).isEqualTo(200);
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
    assertThat(status(Map.of("content-type", contentType))).isEqualTo(415);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "identity", " Identity "})
  void a_body_that_is_not_compressed_is_accepted(String encoding) {
    assertThat(status(Map.of("content-encoding", encoding))).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "br", "identity, gzip", "x"})
  void a_compressed_body_is_an_unsupported_media_type(String encoding) {
    assertThat(status(Map.of("content-encoding", encoding))).isEqualTo(415);
  }

  private int status(Map<String, String> headers) {
    return handler.handle(new Request("r", "192.0.2.1", headers, "{}", false)).status();
  }
}
