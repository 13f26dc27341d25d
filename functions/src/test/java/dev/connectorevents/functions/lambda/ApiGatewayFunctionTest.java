package dev.connectorevents.functions.lambda;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.Promise;
import dev.connectorevents.Version;
import dev.connectorevents.functions.GatewayEvent;
import dev.connectorevents.functions.GatewayEvent.ParsedAnswer;
import dev.connectorevents.functions.RecordingContext;
import dev.connectorevents.http.Handler;
import dev.connectorevents.http.Problem;
import dev.connectorevents.http.ProblemCode;
import dev.connectorevents.http.Request;
import dev.connectorevents.http.Response;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ApiGatewayFunctionTest {

  @Test
  void a_handler_gets_every_part_of_a_request() {
    AtomicReference<Request> seen = new AtomicReference<>();

    ParsedAnswer answer =
        GatewayEvent.read("create-webhook-event.github")
            .withHeader("X-Mixed-Case", "kept")
            .sendTo(
                function(request -> {
                  seen.set(request);
                  return Response.json(200, Map.of("a", 1)).with("X-B", "c");
                }));

    Request request = seen.get();
    assertThat(request.id()).isEqualTo("UEZ0hgQ0joEEJ15=");
    assertThat(request.sourceIp()).isEqualTo("192.0.2.10");
    assertThat(request.header("content-type")).hasValue("application/json");
    assertThat(request.header("x-mixed-case")).hasValue("kept");
    assertThat(request.text()).hasValueSatisfying(text -> assertThat(text).contains("你好"));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.headers()).containsEntry("X-B", "c");
    assertThat(answer.body().get("a").intValue()).isEqualTo(1);
  }

  @Test
  void an_event_without_a_body_is_a_request_without_text() {
    ParsedAnswer answer =
        GatewayEvent.read("me")
            .sendTo(function(request -> Response.json(200, Map.of("body", request.body()))));

    assertThat(answer.body().get("body").textValue()).isEmpty();
  }

  @Test
  @Promise("Every answer of the service has `Cache-Control: no-store`")
  void no_cache_may_store_an_answer() {
    assertThat(GatewayEvent.read("me").sendTo(function(request -> ok())).headers())
        .containsEntry("Cache-Control", "no-store");
    assertThat(GatewayEvent.read("me").sendTo(function(request -> fail())).headers())
        .containsEntry("Cache-Control", "no-store");
  }

  @Test
  void a_request_writes_one_line_to_the_log() {
    RecordingContext context = new RecordingContext();

    GatewayEvent.read("me").sendTo(function(request -> ok()), context);

    assertThat(context.lines()).hasSize(1);
    assertThat(context.lines().getFirst())
        .startsWith(
            "{\"request_id\":\"UEZ0hgQ0joEEJ13=\",\"route\":\"GET /api/auth/me\","
                + "\"status\":200,\"bytes\":0,")
        .endsWith("}\n");
  }

  @Test
  void the_line_has_the_outcome_of_the_request_and_its_metrics() throws IOException {
    RecordingContext context = new RecordingContext();
    RequestStreamHandler function =
        function(
            request -> Problem.of(request, ProblemCode.INVALID_TOKEN, "…").noting("user_id", "7"));

    long begun = System.nanoTime();
    GatewayEvent.read("create-webhook-event.github")
        .withBody("{\"é\":1}")
        .sendTo(function, context);
    double elapsed = (System.nanoTime() - begun) / 1e6;
    GatewayEvent.read("create-webhook-event.github")
        .withBase64Body("eyJhIjoxfQ==")
        .sendTo(function, context);

    JsonNode first = new ObjectMapper().readTree(context.lines().getFirst());
    JsonNode second = new ObjectMapper().readTree(context.lines().getLast());
    assertThat(first.get("code").textValue()).isEqualTo("invalid_token");
    assertThat(first.get("user_id").textValue()).isEqualTo("7");
    assertThat(first.get("bytes").intValue()).isEqualTo(8);
    assertThat(second.get("bytes").intValue()).isEqualTo(7);
    assertThat(first.get("cold_start").booleanValue()).isTrue();
    assertThat(first.get("version").textValue()).isEqualTo(Version.CURRENT);
    assertThat(Optional.ofNullable(first.get("commit")).map(JsonNode::textValue))
        .isEqualTo(Version.COMMIT);
    assertThat(second.has("cold_start")).isFalse();
    assertThat(second.has("version")).isFalse();
    assertThat(first.get("client_errors").intValue()).isEqualTo(1);
    assertThat(first.has("server_errors")).isFalse();
    assertThat(first.get("duration_ms").doubleValue()).isBetween(0.0, elapsed);
  }

  @ParameterizedTest
  @CsvSource({
    "Root=1-5759e988-bd862e3f;Sampled=1, true",
    "Root=1-5759e988-bd862e3f;Sampled=0, false"
  })
  void the_line_has_the_trace_if_there_is_one(String header, boolean isThere) {
    RecordingContext context = new RecordingContext().withTrace(header);

    GatewayEvent.read("me").sendTo(function(request -> ok()), context);

    assertThat(context.lines().getFirst().contains("\"trace_id\":\"" + header + "\""))
        .isEqualTo(isThere);
  }

  @Test
  @Promise("No answer contains a stack trace, a class name, a password or a token.")
  void a_defect_is_logged_with_its_place_and_the_answer_hides_it() {
    RecordingContext context = new RecordingContext();

    ParsedAnswer answer = GatewayEvent.read("me").sendTo(function(request -> fail()), context);

    assertThat(answer.status()).isEqualTo(500);
    assertThat(answer.code()).isEqualTo("internal_error");
    assertThat(answer.body().toString()).doesNotContain("secret cause", "Exception");
    assertThat(context.lines().getFirst())
        .contains("java.lang.IllegalStateException at ApiGatewayFunctionTest.java:")
        .doesNotContain("secret cause")
        .hasSizeLessThan(1_024);
  }

  @Test
  void the_place_of_a_defect_is_in_our_own_code() {
    RecordingContext context = new RecordingContext();

    GatewayEvent.read("me")
        .sendTo(function(request -> Optional.<Response>empty().orElseThrow()), context);

    assertThat(context.lines().getFirst())
        .contains("java.util.NoSuchElementException at ApiGatewayFunctionTest.java:")
        .doesNotContain("Optional.java");
  }

  @Test
  @Promise({
    "DynamoDB or Secrets Manager throttles, times out or is down",
    "After `Retry-After`, 1 second"
  })
  void a_dependency_that_does_not_answer_is_a_503() {
    RecordingContext context = new RecordingContext();
    Handler handler =
        request -> {
          throw new DependencyUnavailableException("GetItem on users failed");
        };

    ParsedAnswer answer = GatewayEvent.read("me").sendTo(function(handler), context);

    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.code()).isEqualTo("temporarily_unavailable");
    assertThat(answer.headers()).containsEntry("Retry-After", "1");
    assertThat(context.lines().getFirst()).contains("GetItem on users failed");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "null",
        "\"hunter2\"",
        "hunter2",
        "{",
        "{\"body\":hunter2}",
        "{\"body\":\"hunter2",
        "{\"isBase64Encoded\":\"hunter2\"}",
        "{\"headers\":{\"authorization\":\"hunter2\",}}",
      })
  void an_event_that_is_not_api_gateways_fails_the_invocation(String event) {
    RecordingContext context = new RecordingContext();

    Throwable thrown = thrownAt(event.getBytes(UTF_8), context);

    assertThat(thrown).isInstanceOf(IOException.class).hasNoCause();
    assertThat(thrown).hasMessageStartingWith("the function's event is not ");
    assertThat(thrown.getMessage()).doesNotContain("hunter2");
    assertThat(context.lines()).as("Lambda's runtime logs the exception instead").isEmpty();
  }

  @Test
  void an_event_nested_deeper_than_the_parser_reads_fails_the_invocation() {
    String event = "{\"headers\":" + "[".repeat(10_000);

    assertThat(thrownAt(event.getBytes(UTF_8), new RecordingContext()))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("the function's event is not ")
        .hasMessageContaining("nested too deep");
  }

  @Test
  void an_event_in_another_encoding_is_not_guessed_at() {
    assertThat(thrownAt("{\"body\":\"é\"}".getBytes(ISO_8859_1), new RecordingContext()))
        .isInstanceOf(MalformedInputException.class);
  }

  private static Throwable thrownAt(byte[] event, RecordingContext context) {
    return catchThrowable(() ->
        function(request -> ok())
            .handleRequest(new ByteArrayInputStream(event), new ByteArrayOutputStream(), context));
  }

  private static RequestStreamHandler function(Handler handler) {
    return new ApiGatewayFunction(handler);
  }

  private static Response ok() {
    return Response.json(200, Map.of());
  }

  private static Response fail() {
    throw new IllegalStateException("secret cause");
  }
}
