package dev.connectorevents.acceptance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.acceptance.contract.SchemaRequests.Faulty;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.RunningService;
import dev.connectorevents.local.contract.BeyondSchemas;
import dev.connectorevents.local.contract.Contract;
import dev.connectorevents.local.contract.Exchanged;
import dev.connectorevents.local.contract.Traffic;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/**
 * Sends generated requests, valid and invalid. Most are generated from the schemas of {@code
 * docs/openapi.yaml}.
 */
class GeneratedRequestsTest {

  private static final SchemaRequests REQUESTS =
      new SchemaRequests(Contract.published().documented());

  @SuppressWarnings("NullAway.Init")
  private static RunningService service;

  private static String token = "";

  @BeforeContainer
  static void start() {
    service = RunningService.start();
    token = service.client().token();
  }

  @AfterContainer
  static void stop() {
    service.close();
    Traffic.RECORDED.requireNoViolation(); // jqwik runs no extensions of Jupiter
  }

  /**
   * Makes only 40 tries: after 100 failed logins, the service would refuse further logins from this
   * source.
   */
  @Property(tries = 40, shrinking = ShrinkingMode.OFF)
  void a_valid_login_is_tried(@ForAll("logins") JsonNode login) {
    Answer answer = send("/api/auth/login", login);

    assertThat(answer.code()).as(login.toString()).isEqualTo("invalid_credentials");
  }

  @Property(shrinking = ShrinkingMode.OFF)
  void a_valid_event_is_stored(@ForAll("events") JsonNode event) {
    agree((ObjectNode) event);
    nameOnce((ObjectNode) event);

    assertThat(send("/api/webhook-events", event).status()).as(event.toString()).isEqualTo(201);
  }

  @Property(shrinking = ShrinkingMode.OFF)
  void an_event_with_one_fault_is_refused_with_its_pointer(@ForAll("faultyEvents") Faulty faulty) {
    if (!faulty.pointer().equals("/event_type")) {
      agree(faulty.request());
    }
    assertRefused("/api/webhook-events", faulty);
  }

  @Property(shrinking = ShrinkingMode.OFF)
  void a_slip_is_refused_if_it_would_lose_something(
      @ForAll("envelopes") JsonNode event, @ForAll("keys") Optional<String> key) {
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

  @Property(shrinking = ShrinkingMode.OFF)
  void a_login_with_one_fault_is_refused_with_its_pointer(@ForAll("faultyLogins") Faulty faulty) {
    assertRefused("/api/auth/login", faulty);
  }

  @Provide
  Arbitrary<JsonNode> logins() {
    return REQUESTS.valid("Login");
  }

  @Provide
  Arbitrary<JsonNode> events() {
    return REQUESTS.valid("NewEvent");
  }

  /**
   * Events with idempotency keys and {@code _meta} in right and in wrong places. All have the same
   * event type.
   */
  @Provide
  Arbitrary<JsonNode> envelopes() {
    return Combinators.combine(
            Arbitraries.of("{}", "{\"_meta\":{}}", "{\"_meta\":{\"brand_id\":\"b\"}}"),
            Arbitraries.maps(
                Arbitraries.of(
                    "idempotency_key", "idempotencyKey", "Idempotency-Key", "_meta", "brand_id"),
                Arbitraries.of("null", "\"a\"", "\"b\"")))
        .as((payload, members) ->
            "{\"event_type\":\"a.b\",\"payload\":"
                + payload
                + members.entrySet().stream()
                    .map(member -> ",\"" + member.getKey() + "\":" + member.getValue())
                    .collect(Collectors.joining())
                + "}")
        .map(Exchanged::json);
  }

  @Provide
  Arbitrary<Optional<String>> keys() {
    return Arbitraries.of("a", "b").optional();
  }

  @Provide
  Arbitrary<Faulty> faultyEvents() {
    return REQUESTS.faulty("NewEvent");
  }

  @Provide
  Arbitrary<Faulty> faultyLogins() {
    return REQUESTS.faulty("Login");
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
    return service.client().post(path, body.toString(), "Authorization", "Bearer " + token);
  }
}
