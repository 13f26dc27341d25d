package dev.connectorevents.acceptance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.contract.SchemaRequests.Faulty;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.local.contract.BeyondSchemas;
import dev.connectorevents.local.contract.Contract;
import dev.connectorevents.local.contract.Exchanged;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * Sends generated requests, valid and invalid. Most are generated from the schemas of {@code
 * docs/openapi.yaml}.
 */
class GeneratedRequestsTest {

  private static final int REQUESTS = Integer.getInteger("generated.requests");

  /** After 100 failed logins, the service would refuse further logins from this source. */
  private static final int LOGINS = 40;

  @AutoClose private static final World service = World.start();
  private static final String token = service.client().token();

  private static final List<Optional<String>> KEYS =
      List.of(Optional.empty(), Optional.of("a"), Optional.of("b"));
  private static final List<String> PAYLOADS =
      List.of("{}", "{\"_meta\":{}}", "{\"_meta\":{\"brand_id\":\"b\"}}");
  private static final List<String> MISPLACED =
      List.of("idempotency_key", "idempotencyKey", "Idempotency-Key", "_meta", "brand_id");

  /** A failed assertion names its request, so the seed need not be fixed. */
  private final SchemaRequests generated =
      new SchemaRequests(Contract.published().documented(), new Random());

  @Test
  void a_valid_login_is_tried() {
    for (int i = 0; i < LOGINS; i++) {
      JsonNode login = generated.valid("Login");
      Answer answer = send("/api/auth/login", login);

      assertThat(answer.code()).as(login.toString()).isEqualTo("invalid_credentials");
    }
  }

  @Test
  void a_valid_event_is_stored() {
    for (int i = 0; i < REQUESTS; i++) {
      ObjectNode event = (ObjectNode) generated.valid("EventToStore");
      agree(event);
      nameOnce(event);

      assertThat(send("/api/webhook-events", event).status()).as(event.toString()).isEqualTo(201);
    }
  }

  @Test
  @Promise("No input may cause an exception or a 500")
  void an_event_with_one_fault_is_refused_with_its_pointer() {
    for (int i = 0; i < REQUESTS; i++) {
      Faulty faulty = generated.faulty("EventToStore");
      if (!faulty.pointer().equals("/event_type")) {
        agree(faulty.request());
      }
      assertRefused("/api/webhook-events", faulty);
    }
  }

  @Test
  @Promise("because to ignore them would lose a key or a brand")
  void a_slip_is_refused_if_it_would_lose_something() {
    for (int i = 0; i < REQUESTS; i++) {
      assertSlipsAreRefused(envelope(), generated.any(KEYS));
    }
  }

  private static void assertSlipsAreRefused(JsonNode event, Optional<String> key) {
    List<String> headers = new ArrayList<>(List.of("Authorization", "Bearer " + token));
    key.ifPresent(value -> headers.addAll(List.of("Idempotency-Key", value)));

    Answer answer =
        service
            .client()
            .post("/api/webhook-events", event.toString(), headers.toArray(String[]::new));

    assertThat(answer.body().path("errors").findValuesAsText("pointer"))
        .as(event + " under " + key)
        .containsExactlyInAnyOrderElementsOf(BeyondSchemas.slips(event, key.orElse(null)));
    assertThat(answer.status()).isEqualTo(answer.body().has("errors") ? 422 : 201);
  }

  @Test
  void a_login_with_one_fault_is_refused_with_its_pointer() {
    for (int i = 0; i < REQUESTS; i++) {
      assertRefused("/api/auth/login", generated.faulty("Login"));
    }
  }

  /**
   * An event with idempotency keys and {@code _meta} in right and in wrong places. All have the
   * same event type.
   */
  private JsonNode envelope() {
    ObjectNode event = (ObjectNode) Exchanged.json("{\"event_type\":\"a.b\"}");
    event.set("payload", Exchanged.json(generated.any(PAYLOADS)));
    for (String name : MISPLACED) {
      if (generated.random().nextBoolean()) {
        event.set(name, Exchanged.json(generated.any(List.of("null", "\"a\"", "\"b\""))));
      }
    }
    return event;
  }

  /** Makes {@code _meta} agree with {@code event_type}. No schema can express this rule. */
  private static void agree(ObjectNode event) {
    String type = event.path("event_type").asText();
    int dot = type.indexOf('.');
    if (dot > 0 && event.at("/payload/_meta") instanceof ObjectNode meta) {
      if (meta.path("source").isTextual()) {
        meta.put("source", type.substring(0, dot));
      }
      if (meta.path("topic").isTextual()) {
        meta.put("topic", type.substring(dot + 1));
      }
    }
  }

  /**
   * Makes the event's key unique, if it has one. A short key may have been generated before, for
   * another event.
   */
  private static void nameOnce(ObjectNode event) {
    if (event.path("idempotency_key").isTextual()) {
      String key = event.get("idempotency_key").textValue() + UUID.randomUUID();
      event.put("idempotency_key", key.substring(Math.max(0, key.length() - 255)).strip());
    }
  }

  private static void assertRefused(String path, Faulty faulty) {
    Answer answer = send(path, faulty.request());

    assertThat(answer.code()).as(faulty.toString()).isEqualTo("validation_failed");
    assertThat(answer.body().at("/errors/0/pointer").asText()).isEqualTo(faulty.pointer());
    assertThat(answer.body().path("errors")).as(faulty.toString()).hasSize(1);
  }

  private static Answer send(String path, JsonNode body) {
    return service.client().post(path, body.toString(), token);
  }
}
