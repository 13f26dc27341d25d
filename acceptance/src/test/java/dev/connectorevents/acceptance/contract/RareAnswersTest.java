package dev.connectorevents.acceptance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.AwsFault;
import dev.connectorevents.acceptance.service.Batches;
import dev.connectorevents.acceptance.service.Texts;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.event.Delivery;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Documented answers that few requests get. */
class RareAnswersTest {

  private static final int MAX_FAILED_LOGINS = 10;

  @AutoClose private static final World service = World.start();

  @Test
  void too_many_failed_logins() {
    for (int i = 0; i < MAX_FAILED_LOGINS; i++) {
      assertThat(service.client().login("somebody@example.com", "wrong").status()).isEqualTo(401);
    }

    Answer answer = service.client().login("somebody@example.com", "wrong");

    assertThat(answer.code()).isEqualTo("too_many_attempts");
    assertThat(Integer.parseInt(answer.header("Retry-After"))).isBetween(1, 900);
  }

  @Test
  void an_event_that_is_too_large_to_be_stored() {
    String text = Texts.noise(4_400_000);

    String event = "{\"event_type\":\"a.b\",\"payload\":{\"x\":\"" + text + "\"}}";
    Answer answer = store(event);

    assertThat(answer.code()).isEqualTo("payload_too_large");
    assertThat(answer.body().path("detail").asText()).contains("at most 4193280 can be stored");
    assertThat(inBatch(event).at("/problem/code").asText()).isEqualTo("payload_too_large");
  }

  @Test
  void an_event_with_every_member() {
    String event =
        "{\"event_type\":\"a.b\",\"connector_installation_id\":42,\"status\":\"received\","
            + "\"response\":\"{}\",\"attempts\":1,\"sent_at\":\"2026-11-20T11:59:59.250Z\","
            + "\"next_retry_at\":\"2026-11-20T12:59:59Z\",\"payload\":{}}";
    String consumer = service.operator().consumerToken();

    JsonNode inBatch = inBatch(event).path("event");
    Answer created = store(event);
    JsonNode read = service.client().get(created.header("location"), consumer).body();

    List<String> members = new ArrayList<>(List.of("id", "event_type"));
    members.addAll(Delivery.NAMES);
    members.remove(Delivery.RESPONSE);
    members.add("created_at");
    assertThat(inBatch.propertyStream().map(Map.Entry::getKey)).containsExactlyElementsOf(members);
    assertThat(read.propertyStream().toList())
        .containsAll(created.body().propertyStream().toList());
  }

  @Test
  void more_faults_than_an_answer_lists() {
    StringBuilder meta = new StringBuilder("\"a\":1");
    for (int i = 0; i < 100; i++) {
      meta.append(",\"a").append(i).append("\":1");
    }

    Answer answer = store("{\"event_type\":\"a.b\",\"payload\":{\"_meta\":{" + meta + "}}}");

    assertThat(answer.body().path("errors")).hasSize(100);
    assertThat(answer.body().path("detail").asText()).startsWith("The body has 101 faults.");
  }

  @Test
  void a_user_with_a_name() {
    String user =
        "{\"action\":\"create\",\"email\":\"named@example.com\",\"name\":\"Shop\",\"password\":\"a"
            + " password of hers\"}";
    service.operator().invoke("ManageUsersFunction", user);
    String token = service.client().login("named@example.com", "a password of hers").accessToken();

    Answer me = service.client().get("/api/auth/me", token);

    assertThat(me.body().path("name").asText()).isEqualTo("Shop");
  }

  @Test
  void an_event_of_a_batch_that_the_store_does_not_take() {
    service.fail(
        call -> call.name().endsWith(" EventsTable") ? AwsFault.ACCESS_DENIED : AwsFault.NONE);

    JsonNode result = inBatch("{\"event_type\":\"a.b\",\"payload\":{}}");

    service.fail(call -> AwsFault.NONE);
    assertThat(result.path("status").intValue()).isEqualTo(503);
    assertThat(result.at("/problem/code").asText()).isEqualTo("temporarily_unavailable");
  }

  private static JsonNode inBatch(String event) {
    return Batches.results(Batches.send(service, service.client().token(), List.of(event))).get(0);
  }

  private static Answer store(String event, String... headers) {
    // Without Content-Type, API Gateway would pass the body in base64.
    List<String> all = new ArrayList<>(List.of("Content-Type", "application/json"));
    all.addAll(List.of("Authorization", "Bearer " + service.client().token()));
    all.addAll(List.of(headers));
    return service.client().post("/api/webhook-events", event, all.toArray(String[]::new));
  }
}
