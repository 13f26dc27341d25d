package dev.connectorevents.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Promise;
import dev.connectorevents.http.Request;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BodyHeadersTest {

  private static final Body<Map<String, String>> READ = new Body.Read<>(Map.of("a", "b"));

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
  @Promise("`application/json` or `*/*+json`.")
  void json_in_utf8_is_accepted(String contentType) {
    assertThat(read(Map.of("content-type", contentType))).isEqualTo(READ);
  }

  @Test
  @Promise("A request without the header is read as JSON")
  void a_missing_content_type_is_taken_as_json() {
    assertThat(read(Map.of())).isEqualTo(READ);
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
  @Promise("A charset, if present, must be UTF-8. Anything else gets 415.")
  void anything_else_is_an_unsupported_media_type(String contentType) {
    assertThat(read(Map.of("content-type", contentType))).isInstanceOf(Body.Unsupported.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "identity", " Identity "})
  void a_body_that_is_not_compressed_is_accepted(String encoding) {
    assertThat(read(Map.of("content-encoding", encoding))).isEqualTo(READ);
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "br", "identity, gzip", "x"})
  @Promise("Absent or `identity`; anything else gets 415.")
  void a_compressed_body_is_an_unsupported_media_type(String encoding) {
    assertThat(read(Map.of("content-encoding", encoding))).isInstanceOf(Body.Unsupported.class);
  }

  private static Body<Map<String, String>> read(Map<String, String> headers) {
    Request request = new Request("r", "192.0.2.1", headers, "{\"a\":\"b\",\"c\":1}", false);
    return BodyReader.readStrings(request, "", Body.Read::new);
  }
}
