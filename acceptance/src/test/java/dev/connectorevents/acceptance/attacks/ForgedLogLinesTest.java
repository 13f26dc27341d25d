package dev.connectorevents.acceptance.attacks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.CapturedLog;
import dev.connectorevents.acceptance.service.Routes;
import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.acceptance.service.World;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** No input can forge a line of the log, or control a terminal that shows the log. */
class ForgedLogLinesTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  private static final CapturedLog log = new CapturedLog();

  @AutoClose private static final World service = World.start(new Setup().logged(log));

  private static final String token = service.client().token();

  static Stream<String> evil() {
    return Stream.of(
        "\r\n{\"request_id\":\"forged\"}",
        "\n{\"request_id\":\"forged\"}",
        "\r",
        "\u001b[31mforged",
        "\u009b31mforged",
        "\u0085forged",
        "\u2028forged",
        "\0",
        "\u007f\b\t",
        "\u202eforged");
  }

  @ParameterizedTest
  @MethodSource("evil")
  void no_input_gets_into_the_log(String evil) throws IOException {
    for (Routes route : List.of(Routes.LOGIN, Routes.ME, Routes.REFRESH, Routes.CREATE_EVENT)) {
      assertOneLine(() -> call(route, evil, evil));
      assertOneLine(() -> call(route, evil, token));
    }
    String encoded = URLEncoder.encode(evil, StandardCharsets.UTF_8);
    assertOneLine(
        () -> service.client().send("GET", "/api/auth/me?x=" + encoded, BodyPublishers.noBody()));
    assertOneLine(() -> store(evil));
    assertOneLine(() -> manage("create", evil.hashCode() + "@example.com", evil));
    assertOneLine(() -> manage("show", evil, evil));
    assertOneLine(() -> manage(evil, World.EMAIL, evil));
  }

  /** Only this text of a sender gets into the log: people trace an event by it. */
  @ParameterizedTest
  @MethodSource("evil")
  void the_request_id_of_a_meta_is_escaped_in_the_log(String evil) throws IOException {
    assertThat(loggedRequestId(evil)).isEqualTo(evil);
  }

  @ParameterizedTest
  @CsvSource({"255, '', ''", "300, '', ''", "254, 😀, ?", "253, 😀, 😀"})
  void the_request_id_of_a_meta_takes_at_most_255_characters_of_the_log(
      int length, String end, String loggedEnd) throws IOException {
    assertThat(loggedRequestId("x".repeat(length) + end))
        .isEqualTo("x".repeat(Math.min(length, 255)) + loggedEnd);
  }

  private static String loggedRequestId(String sent) throws IOException {
    ObjectNode event = JSON.createObjectNode().put("event_type", "a.b");
    event.putObject("payload").putObject("_meta").put("request_id", sent);
    log.clear();
    service.client().post("/api/webhook-events", event.toString(), token);
    assertThat(log.lines()).hasSize(1);
    String line = log.lines().getFirst();
    assertThat(line).matches("\\{[ -~]*}");
    return JSON.readTree(line).path("meta_request_id").asText();
  }

  private void assertOneLine(Sending call) throws IOException {
    log.clear();

    call.make();

    assertThat(log.lines()).hasSize(1);
    String line = log.lines().getFirst();
    assertThat(line).doesNotContain("forged").matches("\\{[ -~]*}");
    assertThat(JSON.readTree(line).path("request_id").asText()).isNotEmpty();
  }

  /**
   * Invokes the function of a route, with the text in the path, the query, the headers and the
   * body. API Gateway would refuse some of these requests.
   */
  private static void call(Routes route, String evil, String bearer) throws IOException {
    ObjectNode event = route.event(bearer, "");
    event.put("rawPath", "/" + evil).put("rawQueryString", evil);
    ((ObjectNode) event.get("headers"))
        .put("authorization", "Bearer " + bearer)
        .put("idempotency-key", evil)
        .put("user-agent", evil)
        .put("x-forwarded-for", evil)
        .put(evil, evil);
    ((ObjectNode) event.at("/requestContext/http")).put("path", evil).put("userAgent", evil);
    if (event.has("body")) {
      event.put("body", body(event.get("body").textValue(), evil));
    }
    JsonNode answer = service.operator().invoke(route.function(), event.toString());
    assertThat(answer.path("statusCode").asInt()).isBetween(200, 422);
  }

  private static void store(String evil) {
    ObjectNode event = JSON.createObjectNode().put("event_type", "a.b").put("status", evil);
    event.put("response", evil).put(evil, evil);
    event.putObject("payload").put(evil, evil).putObject("_meta").put(evil, evil);
    Answer answer = service.client().post("/api/webhook-events", event.toString(), token);
    assertThat(answer.status()).isEqualTo(201);
  }

  private static String body(String body, String evil) throws JsonProcessingException {
    ObjectNode changed = (ObjectNode) JSON.readTree(body);
    for (String name : List.of("email", "password", "event_type", "status", "response")) {
      changed.put(name, changed.path(name).asText() + evil);
    }
    JsonNode payload = changed.path("payload");
    if (payload.isObject()) {
      ((ObjectNode) payload).put(evil, evil);
    }
    return changed.toString();
  }

  private static void manage(String action, String email, String name) {
    service
        .operator()
        .invoke(
            "ManageUsersFunction",
            JSON.createObjectNode()
                .put("action", action)
                .put("email", email)
                .put("name", name)
                .toString());
  }

  /** A call that invokes exactly one function, which must log one line. */
  private interface Sending {
    void make() throws IOException;
  }
}
