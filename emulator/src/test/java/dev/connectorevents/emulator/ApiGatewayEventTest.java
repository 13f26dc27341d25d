package dev.connectorevents.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How an HTTP request becomes the event of a function. */
class ApiGatewayEventTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  @AutoClose private static final Emulator service = Fixtures.startEcho();

  @Test
  void an_event_has_api_gateways_payload_format() throws IOException {
    JsonNode event =
        echoed(
            HttpRequest.newBuilder(url("/echo?a=1&a=2&b=%C3%A4+x&c"))
                .header("X-Many", "one")
                .header("X-Many", "two")
                .header("Cookie", "k=v; l=w")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"ä\":1}")));

    assertThat(event.path("version").asText()).isEqualTo("2.0");
    assertThat(event.path("routeKey").asText()).isEqualTo("POST /echo");
    assertThat(event.path("rawPath").asText()).isEqualTo("/echo");
    assertThat(event.path("rawQueryString").asText()).isEqualTo("a=1&a=2&b=%C3%A4+x&c");
    assertThat(event.path("queryStringParameters").toString())
        .isEqualTo("{\"a\":\"1,2\",\"b\":\"ä x\",\"c\":\"\"}");
    assertThat(event.path("headers").path("x-many").asText()).isEqualTo("one,two");
    assertThat(event.path("body").asText()).isEqualTo("{\"ä\":1}");
    assertThat(event.path("isBase64Encoded").asBoolean()).isFalse();
    assertThat(event.has("pathParameters")).isFalse();
    JsonNode context = event.path("requestContext");
    assertThat(context.path("stage").asText()).isEqualTo("$default");
    assertThat(context.path("apiId").asText()).isEqualTo("local");
    assertThat(context.path("time").asText())
        .matches("\\d\\d/\\w{3}/\\d{4}:\\d\\d:\\d\\d:\\d\\d \\+0000");
    assertThat(context.path("timeEpoch").asLong()).isPositive();
    assertThat(context.path("requestId").asText()).isNotEmpty();
    JsonNode http = context.path("http");
    assertThat(http.path("method").asText()).isEqualTo("POST");
    assertThat(http.path("path").asText()).isEqualTo("/echo");
    assertThat(http.path("protocol").asText()).isEqualTo("HTTP/1.1");
    assertThat(http.path("sourceIp").asText()).isEqualTo("127.0.0.1");
    assertThat(http.path("userAgent").asText()).startsWith("Java-http-client");
  }

  @ParameterizedTest
  @CsvSource({
    "application/json, false",
    "application/json; charset=utf-8, false",
    "text/plain, false",
    "application/xml, false",
    "application/octet-stream, true",
    "application/x-www-form-urlencoded, true",
    ", true",
  })
  void a_body_is_text_or_base64_by_its_content_type(String type, boolean base64)
      throws IOException {
    HttpRequest.Builder request = Fixtures.post(service.baseUrl(), "/echo", "hi");
    JsonNode event = echoed(type == null ? request : request.header("Content-Type", type));
    assertThat(event.path("isBase64Encoded").asBoolean()).isEqualTo(base64);
    assertThat(event.path("body").asText()).isEqualTo(base64 ? "aGk=" : "hi");
  }

  @Test
  void a_text_that_is_not_utf8_is_in_base64() throws IOException {
    byte[] bytes = new byte[] {'a', (byte) 0xff};
    JsonNode event =
        echoed(
            HttpRequest.newBuilder(url("/echo"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(bytes)));
    assertThat(event.path("isBase64Encoded").asBoolean()).isTrue();
    assertThat(Base64.getDecoder().decode(event.path("body").asText())).isEqualTo(bytes);
  }

  @Test
  void a_chunked_body_arrives_whole() throws IOException {
    String text = "x".repeat(100_000);
    BodyPublisher chunked =
        BodyPublishers.ofInputStream(
            () -> new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    JsonNode event =
        echoed(
            HttpRequest.newBuilder(url("/echo"))
                .header("Content-Type", "text/plain")
                .POST(chunked));
    assertThat(event.path("body").asText()).isEqualTo(text);
  }

  @Test
  void an_event_without_a_body_has_no_body_field() throws IOException {
    assertThat(echoed(HttpRequest.newBuilder(url("/things/7"))).has("body")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "/things/a%20b, GET /things/{id}, id, a b",
  })
  void a_routes_variables_are_path_parameters(String path, String key, String name, String value)
      throws IOException {
    JsonNode event = echoed(HttpRequest.newBuilder(url(path)));
    assertThat(event.path("routeKey").asText()).isEqualTo(key);
    assertThat(event.path("pathParameters").path(name).asText()).isEqualTo(value);
  }

  private static JsonNode echoed(HttpRequest.Builder request) throws IOException {
    return JSON.readTree(Fixtures.send(request).body()).path("event");
  }

  private static URI url(String path) {
    return URI.create(service.baseUrl() + path);
  }
}
