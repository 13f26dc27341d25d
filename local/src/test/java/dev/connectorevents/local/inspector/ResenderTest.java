package dev.connectorevents.local.inspector;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.local.ServedLocally;
import dev.connectorevents.local.SharedService;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.Role;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Only the inspector's own page can send an edited request, with a token of the chosen role. */
@ResourceLock(SharedService.LOCK)
class ResenderTest {

  private static final Pattern NONCE = Pattern.compile("name=\"nonce\" content=\"([^\"]+)\"");

  @RegisterExtension private static final InspectedService inspector = new InspectedService();

  private final ServedLocally service = inspector.service();

  @Test
  void an_edited_request_is_sent_as_the_local_user() {
    ObjectNode edited = edited("/api/webhook-events", "{\"event_type\":\"a.b\",\"payload\":{}}");
    edited.withObject("/headers").put("Idempotency-Key", "edited");

    JsonNode shown = inspector.shown(send(edited, nonce()).path("id").asText());

    assertThat(shown.at("/row/exchange/status").asInt()).isEqualTo(201);
    assertThat(shown.at("/row/event/key").asText()).isEqualTo("edited");
    assertThat(shown.at("/headers/authorization").asText()).isEqualTo("Bearer •••");
  }

  @Test
  void it_logs_in_again_when_the_token_was_revoked() {
    ObjectNode edited = edited("/api/auth/me", "").put("method", "GET");
    assertThat(status(send(edited, nonce()))).isEqualTo(200);

    service.manageUsers("revoke-tokens");

    assertThat(status(send(edited, nonce()))).isEqualTo(200);
  }

  /**
   * With {@code --data}, the consumer survives a restart, but nobody knows its password any more.
   */
  @Test
  void the_consumer_of_an_earlier_start_is_used_again() throws Exception {
    LocalUser nobody = new LocalUser(new Email(ServedLocally.EMAIL), Optional.empty());
    Resender.EditedRequest list =
        new Resender.EditedRequest(
            "GET", "/api/webhook-events?event_type=a.b", Map.of(), "", Role.CONSUMER);

    for (int start = 1; start <= 2; start++) {
      String id = new Resender(service.url(), nobody).send(list);

      assertThat(inspector.shown(id).at("/row/exchange/status").asInt())
          .as("start " + start)
          .isEqualTo(200);
    }
  }

  @Test
  void an_edited_request_can_be_sent_without_the_token() {
    ObjectNode edited = edited("/api/auth/me", "").put("method", "GET").putNull("role");

    assertThat(status(send(edited, nonce()))).isEqualTo(401);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          path    | example.com/  | The path must start with a slash.
          path    | /a b          | Illegal character
          path    | /docs/        | did not receive the request
          method  | A B           | illegal method
          method  |               | incomplete
          """)
  void what_cannot_be_sent_is_refused_with_the_reason(
      String member, @Nullable String value, String reason) {
    JsonNode answer =
        send(edited("/api/auth/me", "").put("method", "GET").put(member, value), nonce());

    assertThat(answer.path("message").asText()).contains(reason);
  }

  @ParameterizedTest
  @CsvSource({"//x/api/auth/me", "//api/auth/me", "///api/auth/me", "//x/_inspector/stream"})
  void a_path_that_begins_with_two_slashes_names_no_host(String path) {
    JsonNode answer = send(edited(path, "").put("method", "GET"), nonce());

    JsonNode exchange = inspector.shown(answer.path("id").asText()).at("/row/exchange");
    assertThat(exchange.path("path").asText()).isEqualTo(path);
    assertThat(exchange.path("status").asInt()).isEqualTo(404);
  }

  @Test
  void only_its_own_page_can_send() {
    String path = "/_inspector/send";
    String edited = edited("/api/auth/me", "").toString();

    assertThat(service.send("POST", path, edited).statusCode()).isEqualTo(403);
    assertThat(service.send("POST", path, edited, "X-Inspector-Nonce", "guess").statusCode())
        .isEqualTo(403);
    assertThat(
            service
                .send(
                    "POST",
                    path,
                    edited,
                    "X-Inspector-Nonce",
                    nonce(),
                    "Origin",
                    "http://evil.example")
                .statusCode())
        .isEqualTo(403);
  }

  private int status(JsonNode sent) {
    return inspector.shown(sent.path("id").asText()).at("/row/exchange/status").asInt();
  }

  private String nonce() {
    Matcher nonce = NONCE.matcher(service.get("/_inspector/").body());
    assertThat(nonce.find()).isTrue();
    return nonce.group(1);
  }

  private static ObjectNode edited(String path, String body) {
    ObjectNode edited =
        JsonNodeFactory.instance
            .objectNode()
            .put("method", "POST")
            .put("path", path)
            .put("body", body)
            .put("role", "connector");
    edited.putObject("headers").put("Content-Type", "application/json");
    return edited;
  }

  private JsonNode send(ObjectNode edited, String nonce) {
    return ServedLocally.read(
        service
            .send("POST", "/_inspector/send", edited.toString(), "X-Inspector-Nonce", nonce)
            .body());
  }
}
