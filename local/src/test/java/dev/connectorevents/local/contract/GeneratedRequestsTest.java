package dev.connectorevents.local.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.local.RunningService;
import dev.connectorevents.local.RunningService.Answer;
import dev.connectorevents.local.contract.SchemaRequests.Faulty;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Sends what the document's schemas allow, and what they do not. */
class GeneratedRequestsTest {

  private static final SchemaRequests REQUESTS =
      new SchemaRequests(Contract.published().documented());

  @SuppressWarnings("NullAway.Init")
  private static RunningService service;

  private static String token = "";

  @BeforeContainer
  static void start() {
    service = RunningService.start();
    token = service.token();
  }

  @AfterContainer
  static void stop() {
    service.close();
    Traffic.RECORDED.requireNoViolation(); // jqwik knows no extensions of Jupiter
  }

  @Property(tries = 40, shrinking = ShrinkingMode.OFF)
  void a_valid_login_is_tried(@ForAll("logins") JsonNode login) {
    Answer answer = send("/api/auth/login", login);

    assertThat(answer.code()).as(login.toString()).isEqualTo("invalid_credentials");
  }

  @Property(tries = 200, shrinking = ShrinkingMode.OFF)
  void a_valid_event_is_stored(@ForAll("events") JsonNode event) {
    agree((ObjectNode) event);

    assertThat(send("/api/webhook-events", event).status()).as(event.toString()).isEqualTo(201);
  }

  @Property(tries = 300, shrinking = ShrinkingMode.OFF)
  void an_event_with_one_fault_is_refused_with_its_pointer(@ForAll("faultyEvents") Faulty faulty) {
    if (!faulty.pointer().equals("/event_type")) {
      agree(faulty.request());
    }
    assertRefused("/api/webhook-events", faulty);
  }

  @Property(tries = 60, shrinking = ShrinkingMode.OFF)
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

  @Provide
  Arbitrary<Faulty> faultyEvents() {
    return REQUESTS.faulty("NewEvent");
  }

  @Provide
  Arbitrary<Faulty> faultyLogins() {
    return REQUESTS.faulty("Login");
  }

  /** No schema can say that _meta and event_type have to agree. */
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

  private static void assertRefused(String path, Faulty faulty) {
    Answer answer = send(path, faulty.request());

    assertThat(answer.code()).as(faulty.toString()).isEqualTo("validation_failed");
    assertThat(answer.body().at("/errors/0/pointer").asText()).isEqualTo(faulty.pointer());
    assertThat(answer.body().path("errors")).as(faulty.toString()).hasSize(1);
  }

  private static Answer send(String path, JsonNode body) {
    return service.post(path, body.toString(), "Authorization", "Bearer " + token);
  }
}
