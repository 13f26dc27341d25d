package dev.connectorevents.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ApiGatewayTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @SuppressWarnings("NullAway.Init")
  private static LocalService service;

  @BeforeAll
  static void start() throws IOException {
    service = LocalService.start(LocalOptions.inMemory(Fixtures.echoTemplate()));
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  @Test
  void an_event_has_api_gateways_payload_format() throws IOException {
    var event =
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
    assertThat(event.path("cookies").toString()).isEqualTo("[\"k=v\",\"l=w\"]");
    assertThat(event.path("headers").path("x-many").asText()).isEqualTo("one,two");
    assertThat(event.path("headers").has("cookie")).isFalse();
    assertThat(event.path("body").asText()).isEqualTo("{\"ä\":1}");
    assertThat(event.path("isBase64Encoded").asBoolean()).isFalse();
    assertThat(event.has("pathParameters")).isFalse();
    var context = event.path("requestContext");
    assertThat(context.path("stage").asText()).isEqualTo("$default");
    assertThat(context.path("apiId").asText()).isEqualTo("local");
    assertThat(context.path("time").asText())
        .matches("\\d\\d/\\w{3}/\\d{4}:\\d\\d:\\d\\d:\\d\\d \\+0000");
    assertThat(context.path("timeEpoch").asLong()).isPositive();
    assertThat(context.path("requestId").asText()).isNotEmpty();
    var http = context.path("http");
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
    var request = Fixtures.post(service.baseUrl(), "/echo", "hi");
    var event = echoed(type == null ? request : request.header("Content-Type", type));
    assertThat(event.path("isBase64Encoded").asBoolean()).isEqualTo(base64);
    assertThat(event.path("body").asText()).isEqualTo(base64 ? "aGk=" : "hi");
  }

  @Test
  void a_text_that_is_not_utf8_comes_in_base64() throws IOException {
    var bytes = new byte[] {'a', (byte) 0xff};
    var event =
        echoed(
            HttpRequest.newBuilder(url("/echo"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(bytes)));
    assertThat(event.path("isBase64Encoded").asBoolean()).isTrue();
    assertThat(Base64.getDecoder().decode(event.path("body").asText())).isEqualTo(bytes);
  }

  @Test
  void a_chunked_body_arrives_whole() throws IOException {
    var text = "x".repeat(100_000);
    var chunked =
        BodyPublishers.ofInputStream(
            () -> new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    var event =
        echoed(
            HttpRequest.newBuilder(url("/echo"))
                .header("Content-Type", "text/plain")
                .POST(chunked));
    assertThat(event.path("body").asText()).isEqualTo(text);
  }

  @Test
  void no_body_is_no_field() throws IOException {
    assertThat(echoed(HttpRequest.newBuilder(url("/things/7"))).has("body")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "/things/a%20b, GET /things/{id}, id, a b",
    "/rest/a/b, ANY /rest/{proxy+}, proxy, a/b",
  })
  void a_routes_variables_are_path_parameters(String path, String key, String name, String value)
      throws IOException {
    var event = echoed(HttpRequest.newBuilder(url(path)));
    assertThat(event.path("routeKey").asText()).isEqualTo(key);
    assertThat(event.path("pathParameters").path(name).asText()).isEqualTo(value);
  }

  @ParameterizedTest
  @CsvSource({"GET, /echo", "HEAD, /echo", "POST, /echo/", "POST, /", "GET, /things/", "GET, /x"})
  void what_has_no_route_is_not_found(String method, String path) {
    var answer =
        Fixtures.send(HttpRequest.newBuilder(url(path)).method(method, BodyPublishers.noBody()));
    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(answer.body()).isEqualTo(method.equals("HEAD") ? "" : "{\"message\":\"Not Found\"}");
    assertThat(answer.headers().firstValue("apigw-requestid")).isPresent();
  }

  @ParameterizedTest
  @ValueSource(ints = {10 * 1024 * 1024 + 1, 6_291_556})
  void what_is_too_large_for_api_gateway_or_lambda_is_refused(int size) {
    var answer =
        Fixtures.send(
            Fixtures.post(service.baseUrl(), "/echo", "x".repeat(size))
                .header("Content-Type", "text/plain"));
    assertThat(answer.statusCode()).isEqualTo(413);
    assertThat(answer.body()).isEqualTo("{\"message\":\"Request Entity Too Large\"}");
  }

  @Test
  void an_answer_keeps_status_headers_cookies_and_bytes() {
    var answer =
        answered(
            """
            {"statusCode":401,"headers":{"WWW-Authenticate":"Bearer","X-A":"b"},
             "cookies":["k=v"],"body":"aGk=","isBase64Encoded":true}
            """);
    assertThat(answer.statusCode()).isEqualTo(401);
    assertThat(answer.body()).isEqualTo("hi");
    assertThat(answer.headers().firstValue("www-authenticate")).isEmpty();
    assertThat(answer.headers().firstValue("x-amzn-remapped-www-authenticate")).contains("Bearer");
    assertThat(answer.headers().firstValue("x-a")).contains("b");
    assertThat(answer.headers().firstValue("set-cookie")).contains("k=v");
  }

  @Test
  void an_answer_without_a_status_is_the_body_of_a_200() {
    var answer = answered("{\"a\":1}");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("{\"a\":1}");
    assertThat(answer.headers().firstValue("content-type")).contains("application/json");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "throw",
        "sleep",
        "not json",
        "",
        "{\"statusCode\":\"ok\"}",
        "{\"statusCode\":200,\"body\":{}}",
        "{\"statusCode\":200,\"headers\":{\"a\":\"b\\nc\"}}",
        "{\"statusCode\":200,\"body\":\"*\",\"isBase64Encoded\":true}",
      })
  void a_function_that_misbehaves_is_an_internal_server_error(String behaviour) {
    var answer = answered(behaviour);
    assertThat(answer.statusCode()).isEqualTo(500);
    assertThat(answer.body()).isEqualTo("{\"message\":\"Internal Server Error\"}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/echo/%zz", "/%", "//", "*", "foo:bar", "http://[", "/things/%ff"})
  void a_malformed_target_is_answered_and_harms_nothing(String target) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), service.baseUrl().getPort())) {
      socket.setSoTimeout(5_000);
      socket
          .getOutputStream()
          .write(
              ("GET " + target + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      var answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      // For a target that is no path at all the JDK's server only closes the connection.
      assertThat(answer).containsPattern("^(HTTP/1.1 (400|404|200) |$)");
    }
    assertThat(answered("{}").statusCode()).isEqualTo(200);
  }

  @Test
  void a_client_that_goes_away_harms_nobody() throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), service.baseUrl().getPort())) {
      socket
          .getOutputStream()
          .write(
              "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\nhalf"
                  .getBytes(StandardCharsets.US_ASCII));
    }
    assertThat(answered("{}").statusCode()).isEqualTo(200);
  }

  @Test
  void a_functions_unconfigured_clients_reach_the_stand_ins() throws IOException {
    var body =
        Fixtures.send(
                Fixtures.post(service.baseUrl(), "/echo", "aws")
                    .header("Content-Type", "text/plain"))
            .body();
    assertThat(JSON.readTree(body).path("aws").asText()).isEqualTo("[Things] 64");
  }

  @Test
  void a_function_has_the_environment_that_the_template_and_lambda_give_it() throws IOException {
    var body = Fixtures.send(Fixtures.post(service.baseUrl(), "/echo", "")).body();
    var environment = JSON.readTree(body).path("environment");
    assertThat(environment.path("GREETING").asText()).isEqualTo("hello");
    assertThat(environment.path("THINGS_TABLE").asText()).isEqualTo("Things");
    assertThat(environment.path("AWS_LAMBDA_FUNCTION_NAME").asText()).isEqualTo("EchoFunction");
    assertThat(environment.path("AWS_REGION").asText()).isEqualTo("us-east-1");
    assertThat(JSON.readTree(body).path("remaining").asInt()).isBetween(1, 1000);
  }

  private static java.net.http.HttpResponse<String> answered(String behaviour) {
    return Fixtures.send(
        Fixtures.post(service.baseUrl(), "/answer", behaviour)
            .header("Content-Type", "text/plain"));
  }

  private static JsonNode echoed(HttpRequest.Builder request) throws IOException {
    return JSON.readTree(Fixtures.send(request).body()).path("event");
  }

  private static URI url(String path) {
    return URI.create(service.baseUrl() + path);
  }
}
