package dev.connectorevents.functions.createevent;

import static dev.connectorevents.user.TestUsers.CONNECTOR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.Promise;
import dev.connectorevents.event.EventIds;
import dev.connectorevents.event.EventToStore;
import dev.connectorevents.event.IdempotencyKey;
import dev.connectorevents.event.InMemoryEvents;
import dev.connectorevents.event.StoreOutcome;
import dev.connectorevents.functions.GatewayEvent;
import dev.connectorevents.functions.GatewayEvent.ParsedAnswer;
import dev.connectorevents.functions.RecordingContext;
import dev.connectorevents.functions.TestService;
import dev.connectorevents.http.Handler;
import dev.connectorevents.user.Role;
import dev.connectorevents.user.TestUsers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CreateEventFunctionTest {

  private static final String UUID =
      "[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}";

  private static final String NO_REQUEST_ID =
      "{\"event_type\":\"a.b\",\"payload\":{\"_meta\":{\"shop\":\"s\"}}}";

  private final TestService service = new TestService();
  private final InMemoryEvents events = new InMemoryEvents();
  private final Handler route = route(events);

  @Test
  @Promise("201 with `Location: /api/webhook-events/{id}`")
  void an_event_is_stored_and_returned_without_its_payload() {
    ParsedAnswer answer = send(event("shopify"));

    assertThat(answer.status()).isEqualTo(201);
    String id = answer.body().get("id").textValue();
    assertThat(id).matches(UUID);
    assertThat(answer.headers()).containsEntry("Location", "/api/webhook-events/" + id);
    assertThat(answer.body())
        .hasToString(
            "{\"id\":\""
                + id
                + "\",\"event_type\":\"shopify.orders/create\",\"connector_installation_id\":42,"
                + "\"status\":\"received\",\"attempts\":1,\"sent_at\":\"2026-11-20T11:59:59.250Z\","
                + "\"created_at\":\"2026-11-20T12:00:00.123Z\"}");
  }

  @Test
  @Promise("**If the payload has `_meta`**, the service stores it as sent.")
  void a_payload_with_meta_is_stored_as_it_was_sent() {
    GatewayEvent event = event("shopify");
    String body = event.body();

    send(event);

    EventToStore stored = events.stored().getFirst();
    assertThat(stored.payload().text())
        .isEqualTo(body.substring(body.indexOf("{\"id\""), body.length() - 1));
    assertThat(stored.payload().meta().brandId()).hasValue("brand-7");
    assertThat(stored.userId()).isEqualTo(CONNECTOR.id());
  }

  @Test
  @Promise("the service appends one as the last member")
  void a_payload_without_meta_gets_one_and_is_otherwise_as_it_was_sent() {
    GatewayEvent event = event("github");
    String body = event.body();
    String sent = body.substring(body.indexOf("{ \"ref\""), body.length() - 1);

    send(event);

    assertThat(events.stored().getFirst().payload().text())
        .startsWith(sent.substring(0, sent.length() - 1))
        .matches(
            "(?s).*,\"_meta\":\\{\"source\":\"github\",\"topic\":\"push\",\"request_id\":\""
                + UUID
                + "\",\"received_at\":\"2026-11-20T12:00:00.123Z\"}}");
  }

  @Test
  @Promise("403 `forbidden`; `detail` names the scope.")
  void an_event_outside_the_users_scope_is_forbidden_and_stores_nothing() {
    service.users.put(TestUsers.withScope(Role.CONNECTOR, "github.*,stripe.charge.failed"));

    ParsedAnswer answer = send(event("shopify"));

    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.code()).isEqualTo("forbidden");
    assertThat(answer.body().get("detail").textValue())
        .isEqualTo(
            "The user's event types are github.*, stripe.charge.failed. The event type"
                + " shopify.orders/create is not among them.");
    assertThat(events.stored()).isEmpty();
    assertThat(send(event("github")).status()).isEqualTo(201);
  }

  /** Each step mends the mistake that the request before was refused for. */
  @Test
  @Promise({
    "The service checks a request in this order: token, role, `Idempotency-Key`",
    "a retry of a stored event outside it gets 403. The event stays stored."
  })
  void of_several_mistakes_the_first_in_the_order_of_the_page_is_the_answer() {
    send(event("shopify"));
    service.users.put(TestUsers.withRole(Role.CONSUMER));
    GatewayEvent request =
        event("github")
            .withoutHeader("authorization")
            .withHeader("idempotency-key", "é")
            .withHeader("content-type", "text/plain")
            .withHeader("content-encoding", "gzip")
            .withBody("{");
    List<Runnable> mending =
        List.of(
            () -> {},
            () -> request.withToken(service.token()),
            () -> service.users.put(TestUsers.withScope(Role.CONNECTOR, "github.*")),
            () -> request.withHeader("idempotency-key", "shopify-8f4f8c2e"),
            () -> request.withHeader("content-type", "application/json"),
            () -> request.withoutHeader("content-encoding"),
            () -> request.withBody("{\"event_type\":\"a.b\"}"),
            () -> request.withBody("{\"event_type\":\"a.b\",\"payload\":{}}"),
            () -> service.users.put(CONNECTOR));

    List<String> refusals = new ArrayList<>();
    for (Runnable step : mending) {
      step.run();
      JsonNode answer = request.sendTo(route).body();
      String about = answer.path("detail").asText().split(" ", 2)[0];
      refusals.add(answer.path("code").asText() + " " + about);
    }

    assertThat(refusals)
        .containsExactly(
            "missing_token Send",
            "forbidden POST",
            "validation_failed Idempotency-Key",
            "unsupported_media_type Content-Type",
            "unsupported_media_type Content-Encoding",
            "malformed_json The",
            "validation_failed The",
            "forbidden The",
            "idempotency_key_reused An");
    assertThat(events.stored()).hasSize(1);
  }

  @Test
  @Promise({"answers are in UTC", "each field of the table below that the stored event has"})
  void times_are_returned_in_utc_and_absent_fields_stay_absent() {
    ParsedAnswer answer = send(event("stripe"));

    assertThat(answer.body().get("next_retry_at").textValue()).isEqualTo("2026-11-20T12:00:00Z");
    assertThat(answer.body().get("response").textValue()).isEqualTo("upstream answered 502");
    assertThat(answer.body().has("sent_at")).isFalse();
    assertThat(answer.body().has("connector_installation_id")).isFalse();
  }

  @Test
  @Promise("201 with the first event, and `Idempotency-Replayed: true`")
  void the_same_request_under_one_key_is_stored_once_and_gets_the_same_answer() {
    ParsedAnswer first = send(event("shopify"));
    service.clock.advance(java.time.Duration.ofHours(20));
    ParsedAnswer second = send(event("shopify"));

    assertThat(second.status()).isEqualTo(201);
    assertThat(second.body()).isEqualTo(first.body());
    assertThat(second.headers()).containsEntry("Idempotency-Replayed", "true");
    assertThat(first.headers()).doesNotContainKey("Idempotency-Replayed");
    assertThat(events.stored()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"attempts\":1   | \"attempts\":2",
        "\"status\":\"received\", | \"response\":\"timed out\",",
        "11:59:59.250Z   | 12:00:59.250Z",
        "\"brand_id\":\"brand-7\" | \"brand_id\":\"brand-8\"",
        "{\"event_type\" | {\"next_retry_at\":\"2026-11-20T12:05:00Z\",\"event_type\"",
        "{\"event_type\" | { \"unknown\" : [], \"event_type\"",
      })
  @Promise("The first values stay stored.")
  void a_retry_may_change_what_it_says_about_its_delivery(String first, String then) {
    GatewayEvent retry = event("shopify");
    assertThat(retry.body()).contains(first);
    ParsedAnswer stored = send(event("shopify"));

    ParsedAnswer answer = send(retry.withBody(retry.body().replace(first, then)));

    assertThat(answer.body()).isEqualTo(stored.body());
    assertThat(answer.headers()).containsEntry("Idempotency-Replayed", "true");
    assertThat(events.stored()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"shopify.orders/create, shopify.orders/paid", "42, 43", "199.00, 199.01"})
  @Promise("The first event is stored under this key; this one is not.")
  void a_request_with_another_type_installation_or_payload_is_another_event(
      String first, String then) {
    GatewayEvent other = event("shopify");
    assertThat(other.body()).contains(first);
    String stored = send(event("shopify")).body().get("id").textValue();

    ParsedAnswer answer =
        send(
            other.withBody(
                other.body().replace(first, then).replace("\"topic\":\"orders/create\",", "")));

    assertThat(answer.code()).isEqualTo("idempotency_key_reused");
    assertThat(answer.body().get("detail").textValue())
        .isEqualTo(
            "An event is stored under this Idempotency-Key, and this one differs from it. A retry"
                + " repeats the event type, the installation and, byte for byte, the payload; another"
                + " event needs a key of its own.");
    assertThat(answer.body().get("event_id").textValue()).isEqualTo(stored);
    assertThat(events.stored()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"'', true", "'stripe.*,shopify.*', true", "stripe.*, false"})
  @Promise("`event_id` names the first one")
  void a_reused_key_names_the_stored_event_if_the_scope_contains_it(
      String eventTypes, boolean isNamed) throws IOException {
    String stored = send(event("shopify")).body().get("id").textValue();
    service.users.put(TestUsers.withScope(Role.CONNECTOR, eventTypes));
    RecordingContext context = new RecordingContext();

    ParsedAnswer answer =
        event("stripe")
            .withHeader("idempotency-key", "shopify-8f4f8c2e")
            .withToken(service.token())
            .sendTo(route, context);

    assertThat(answer.code()).isEqualTo("idempotency_key_reused");
    assertThat(answer.body().path("event_id").asText()).isEqualTo(isNamed ? stored : "");
    JsonNode line = new ObjectMapper().readTree(context.lines().getFirst());
    assertThat(line.get("reused_keys").intValue()).isEqualTo(1);
    assertThat(line.get("client_errors").intValue()).isEqualTo(1);
    assertThat(line.get("event_id").textValue()).isEqualTo(stored);
    assertThat(line.get("event_type").textValue()).isEqualTo("stripe.charge.succeeded");
    assertThat(line.get("key").textValue()).isEqualTo("shopify-8f4f8c2e");
  }

  @ParameterizedTest
  @ValueSource(strings = {"github", "shopify"}) // without and with a request_id in _meta
  @Promise({
    "Without a key every request is an event of its own.",
    "It never decides whether two requests are the same event"
  })
  void without_a_key_every_request_is_an_event_of_its_own(String provider) {
    String body = event(provider).body();
    send(event("github").withBody(body));
    send(event("github").withBody(body));

    assertThat(events.stored()).hasSize(2);
  }

  @Test
  @Promise("you can send the member `idempotency_key` in the event.")
  void a_key_in_the_body_counts_like_the_header() {
    GatewayEvent keyed = event("github");
    keyed.withBody(keyed.body().replaceFirst("\\{", "{\"idempotency_key\":\"k-1\","));
    send(event("github").withHeader("idempotency-key", "k-1"));

    ParsedAnswer inBody = send(keyed);
    ParsedAnswer inBoth = send(keyed.withHeader("idempotency-key", "k-1"));
    ParsedAnswer differing = send(keyed.withHeader("idempotency-key", "k-2"));

    assertThat(inBody.headers()).containsEntry("Idempotency-Replayed", "true");
    assertThat(inBoth.headers()).containsEntry("Idempotency-Replayed", "true");
    assertThat(differing.status()).isEqualTo(422);
    assertThat(differing.body().at("/errors/0/pointer").textValue()).isEqualTo("/idempotency_key");
    assertThat(events.stored()).hasSize(1);
  }

  @Test
  @Promise("`detail` names the size and the limit")
  void an_event_too_large_for_the_store_is_refused_with_its_size_and_the_limit() {
    Handler full = route(toStore -> new StoreOutcome.TooLarge(500_000, 409_600));

    ParsedAnswer answer = event("github").withToken(service.token()).sendTo(full);

    assertThat(answer.status()).isEqualTo(413);
    assertThat(answer.code()).isEqualTo("payload_too_large");
    assertThat(answer.body().get("detail").textValue()).contains("500000", "409600");
  }

  @Test
  @Promise("An operator has erased the event with this id or key")
  void an_erased_event_is_not_stored_again() {
    events.erase(java.util.UUID.fromString(send(event("shopify")).body().get("id").textValue()));

    ParsedAnswer answer = send(event("shopify"));

    assertThat(answer.status()).isEqualTo(410);
    assertThat(answer.code()).isEqualTo("event_erased");
    assertThat(answer.body().get("detail").textValue()).contains("do not retry");
    assertThat(answer.headers()).doesNotContainKey("Location");
  }

  @Test
  void the_line_of_an_event_has_its_id_type_and_provider_and_the_request_id_of_its_meta()
      throws IOException {
    JsonNode made = line(event("github"));
    JsonNode sent = line(event("shopify"));
    JsonNode replayed = line(event("shopify").withBody(retried(event("shopify").body())));
    line(event("github").withHeader("idempotency-key", "k"));
    JsonNode replayedWithoutMeta = line(event("github").withHeader("idempotency-key", "k"));

    assertThat(List.of(made, sent))
        .extracting(
            it -> it.path("event_type").asText(),
            it -> it.path("provider").asText(),
            it -> it.path("event_id").asText(),
            it -> it.path("meta_request_id").asText())
        .containsExactly(
            tuple("github.push", "github", storedId(0), storedRequestId(0)),
            tuple("shopify.orders/create", "shopify", storedId(1), storedRequestId(1)));
    assertThat(replayed.get("event_id").textValue()).isEqualTo(storedId(1));
    assertThat(replayed.get("meta_request_id").textValue()).isEqualTo("the-retry");
    assertThat(replayedWithoutMeta.get("event_id").textValue()).isEqualTo(storedId(2));
    assertThat(replayedWithoutMeta.has("meta_request_id")).isFalse();
    assertThat(line(event("github").withBody(NO_REQUEST_ID)).has("meta_request_id")).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                    | other",
        "*                     | other",
        "shopify.orders/*,*    | shopify",
        "stripe.*,shopify.*    | shopify",
      })
  @Promise("**Events count by user, and by provider only where the user's scope names it**")
  void a_new_event_counts_under_its_provider_if_the_scope_names_it_and_a_replay_does_not_count(
      String eventTypes, String provider) throws IOException {
    service.users.put(TestUsers.withScope(Role.CONNECTOR, eventTypes));

    JsonNode first = line(event("shopify"));
    JsonNode replay = line(event("shopify"));

    assertThat(first.get("stored").intValue()).isEqualTo(1);
    assertThat(first.get("counted_as").textValue()).isEqualTo(provider);
    assertThat(first.has("refused")).isFalse();
    assertThat(replay.has("stored") || replay.has("counted_as") || replay.has("refused")).isFalse();
  }

  @Test
  @Promise("`refused` refused ones by user and code")
  void what_is_refused_after_a_good_token_is_counted_unless_it_was_erased() throws IOException {
    service.users.put(TestUsers.withScope(Role.CONNECTOR, "shopify.*,stripe.*"));
    send(event("shopify"));

    assertThat(
            List.of(
                line(event("shopify").withBody("{")),
                line(event("shopify").withBody("{}")),
                line(event("shopify").withHeader("idempotency-key", "é")),
                line(event("github")),
                line(event("shopify").withHeader("content-type", "text/plain")),
                line(event("stripe").withHeader("idempotency-key", "shopify-8f4f8c2e")),
                line(
                    event("shopify").withHeader("idempotency-key", "new"),
                    route(new InMemoryEvents(1)))))
        .extracting(it -> it.path("code").asText(), it -> it.path("refused").asInt())
        .containsExactly(
            tuple("malformed_json", 1),
            tuple("validation_failed", 1),
            tuple("validation_failed", 1),
            tuple("forbidden", 1),
            tuple("unsupported_media_type", 1),
            tuple("idempotency_key_reused", 1),
            tuple("payload_too_large", 1));
    events.erase(EventIds.of(CONNECTOR.id(), new IdempotencyKey("erased")));
    JsonNode erased = line(event("shopify").withHeader("idempotency-key", "erased"));
    assertThat(erased.get("code").textValue()).isEqualTo("event_erased");
    assertThat(erased.has("refused")).isFalse();
  }

  @Test
  void a_refused_event_is_logged_with_what_is_right_of_its_type_and_key() throws IOException {
    String event = event("shopify").body();
    String typeless = event.replaceFirst("\"event_type\":\"[^\"]*\"", "\"event_type\":\" \"");
    String keyed = "{\"idempotency_key\":\"k\",\"event_type\":\"a.b\",\"payload\":7}";

    JsonNode wrongType = line(event("shopify").withBody(typeless));
    JsonNode wrongPayload = line(event("shopify").withoutHeader("idempotency-key").withBody(keyed));
    service.users.put(TestUsers.withScope(Role.CONNECTOR, "github.*"));
    JsonNode outside = line(event("shopify").withHeader("idempotency-key", "order-1"));

    assertThat(wrongType.get("key").textValue()).isEqualTo("shopify-8f4f8c2e");
    assertThat(wrongType.has("event_type")).isFalse();
    assertThat(wrongPayload.get("key").textValue()).isEqualTo("k");
    assertThat(wrongPayload.get("event_type").textValue()).isEqualTo("a.b");
    assertThat(outside.get("key").textValue()).isEqualTo("order-1");
    assertThat(outside.get("event_type").textValue()).isEqualTo("shopify.orders/create");
  }

  private static String retried(String body) {
    String retried = body.replaceFirst("\"request_id\":\"[^\"]*\"", "\"request_id\":\"the-retry\"");
    assertThat(retried).isNotEqualTo(body);
    return retried;
  }

  private String storedId(int index) {
    return events.stored().get(index).id().toString();
  }

  private String storedRequestId(int index) throws IOException {
    return new ObjectMapper()
        .readTree(events.stored().get(index).payload().text())
        .at("/_meta/request_id")
        .textValue();
  }

  private JsonNode line(GatewayEvent event) throws IOException {
    return line(event, route);
  }

  private JsonNode line(GatewayEvent event, Handler to) throws IOException {
    RecordingContext context = new RecordingContext();
    event.withToken(service.token()).sendTo(to, context);
    assertThat(context.lines()).hasSize(1);
    return new ObjectMapper().readTree(context.lines().getFirst());
  }

  private Handler route(dev.connectorevents.event.Events store) {
    return CreateEventFunction.handler(
        service.guard,
        new NewEvents(new EventIds(service.clock, new Random(1)), service.clock),
        store);
  }

  private static GatewayEvent event(String provider) {
    return GatewayEvent.read("create-webhook-event." + provider);
  }

  private ParsedAnswer send(GatewayEvent event) {
    return event.withToken(service.token()).sendTo(route);
  }
}
