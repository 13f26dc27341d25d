package dev.connectorevents.acceptance.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.RunningService;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Which role may use which route. */
class RolesTest {

  private static final String EVENT = "{\"event_type\":\"a.b\",\"payload\":{}}";

  @AutoClose private static final RunningService service = RunningService.start();

  @Test
  void a_consumer_sends_no_events() {
    String[] bearer = {"Authorization", "Bearer " + consumer("reads")};
    String batch = "{\"events\":[" + EVENT + "]}";

    assertThat(service.client().post("/api/webhook-events", EVENT, bearer).code())
        .isEqualTo("forbidden");
    assertThat(service.client().post("/api/webhook-events/batch", batch, bearer).code())
        .isEqualTo("forbidden");
    String keys = "{\"idempotency_keys\":[\"a\"]}";
    assertThat(service.client().post("/api/webhook-events/missing", keys, bearer).code())
        .isEqualTo("forbidden");
  }

  @Test
  void the_role_is_judged_before_the_body() {
    Answer answer =
        service
            .client()
            .post(
                "/api/webhook-events",
                "no JSON",
                "Authorization",
                "Bearer " + consumer("careless"),
                "Content-Type",
                "text/plain");

    assertThat(answer.status()).isEqualTo(403);
  }

  @Test
  void every_user_can_ask_for_its_role() {
    assertThat(service.client().get("/api/auth/me", consumer("me")).body().path("role").asText())
        .isEqualTo("consumer");
  }

  @Test
  void a_new_role_ends_the_tokens_of_the_old_one() {
    String token = consumer("former");
    manage("set-role", "former", "role", "connector");

    assertThat(service.client().get("/api/auth/me", token).code()).isEqualTo("revoked_token");
  }

  /** A static token of a new consumer. */
  private static String consumer(String name) {
    manage("create", name, "role", "consumer");
    return manage("issue-static-token", name, "name", "").at("/token/access_token").asText();
  }

  private static JsonNode manage(String action, String name, String member, String value) {
    ObjectNode event =
        JsonNodeFactory.instance
            .objectNode()
            .put("action", action)
            .put("email", name + "@example.com")
            .put(member, value);
    return service.operator().invoke("ManageUsersFunction", event.toString());
  }
}
