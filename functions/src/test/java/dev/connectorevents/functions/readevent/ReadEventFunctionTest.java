package dev.connectorevents.functions.readevent;

import static dev.connectorevents.user.TestUsers.CONNECTOR;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Gzip;
import dev.connectorevents.Promise;
import dev.connectorevents.event.Deliveries;
import dev.connectorevents.event.EventLookup;
import dev.connectorevents.event.EventType;
import dev.connectorevents.event.LookupOutcome;
import dev.connectorevents.event.StoredEvent;
import dev.connectorevents.event.WebhookEvent;
import dev.connectorevents.functions.TestService;
import dev.connectorevents.http.EntityTag;
import dev.connectorevents.http.Request;
import dev.connectorevents.http.Response;
import dev.connectorevents.user.Role;
import dev.connectorevents.user.TestUsers;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReadEventFunctionTest {

  private static final String EVENT = "GET /api/webhook-events/{id}";
  private static final String PAYLOAD = EVENT + "/payload";
  private static final String ID = "019aa1f0-2c3b-7d4e-8f50-a1b2c3d4e5f6";
  private static final String CREATED = "2026-11-20T12:00:00.000Z";
  private static final String SMALL = "{ \"price\" : 1.10e2 }";
  private static final String LARGE = "{\"text\":\"" + "x".repeat(6_300_000) + "\"}";

  private final TestService service = new TestService();

  @BeforeEach
  void makeConsumer() {
    service.users.put(TestUsers.withRole(Role.CONSUMER));
  }

  @Test
  @Promise("The event has the members of its creation, then `user_id`")
  void an_event_has_its_user_and_its_payload_as_it_was_sent() {
    Response answer = read(EVENT, SMALL);

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body())
        .isEqualTo(
            "{\"id\":\"%s\",\"event_type\":\"a.b\",\"created_at\":\"%s\",\"user_id\":\"%s\",\"payload\":%s}"
                .formatted(ID, CREATED, CONNECTOR.id(), SMALL));
  }

  @ParameterizedTest
  @ValueSource(strings = {EVENT, PAYLOAD})
  void the_log_names_the_event_that_was_read_and_no_id_that_was_only_asked_for(String route) {
    Response read = read(route, SMALL);
    Response known = read(route, ID, SMALL, Map.of("if-none-match", tag(read)));

    assertThat(List.of(read, known))
        .extracting(it -> it.notes().get("event_id"))
        .containsExactly(ID, ID);
    assertThat(read(route, "00000000-0000-0000-0000-000000000000", SMALL, Map.of()).notes())
        .doesNotContainKey("event_id");
    assertThat(read(erasedAt(CREATED), route, ID, Map.of()).notes()).doesNotContainKey("event_id");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "00000000-0000-0000-0000-000000000000 | No event has this id.",
        "019AA1F0-2C3B-7D4E-8F50-A1B2C3D4E5F6 | No event has this id: an id is in lower case.",
        "1-1-1-1-1 | No event has this id: an id is a UUID, the id in the answer that stored the event.",
        "batch | No event has this id: batch is a route of connectors, with POST.",
        "missing | No event has this id: missing is a route of connectors, with POST.",
        "x | No event has this id: an id is a UUID, the id in the answer that stored the event.",
      })
  @Promise({
    "The event's id is unknown",
    "So does an id that is not a UUID in lower case; `detail` then says so."
  })
  void an_unknown_id_is_a_404_that_says_what_is_wrong_with_it(String id, String detail) {
    Response answer = read(EVENT, id, SMALL, Map.of());

    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.body()).contains("\"detail\":\"" + detail + "\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {EVENT, PAYLOAD})
  @Promise("An operator has erased the event with this id or key")
  void an_erased_event_is_gone_even_for_a_reader_that_has_it(String route) {
    EventLookup erased = erasedAt("2026-11-21T08:30:00.250Z");
    String tag = tag(read(route, SMALL));

    for (Map<String, String> headers :
        List.of(
            Map.<String, String>of(), Map.of("if-none-match", tag), Map.of("if-none-match", "*"))) {
      Response answer = read(erased, route, ID, headers);

      assertThat(answer.status()).isEqualTo(410);
      assertThat(answer.headers()).doesNotContainKey("ETag");
      assertThat(answer.body())
          .isEqualTo(
              "{\"type\":\"about:blank\",\"title\":\"Gone\",\"status\":410,"
                  + "\"detail\":\"An operator erased this event at 2026-11-21T08:30:00.250Z."
                  + " It will not come back.\",\"code\":\"event_erased\",\"request_id\":\"r\"}");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'', 200, 410",
    "a.b, 200, 404",
    "a.*, 200, 404",
    "'a.*,*', 200, 410",
    "'a.c,b.*', 404, 404",
  })
  @Promise("404, unless the scope contains `*`")
  void an_event_outside_the_scope_is_absent_and_so_is_an_erased_one_of_unknown_type(
      String eventTypes, int found, int erased) {
    String tag = tag(read(EVENT, SMALL));
    String absent = read(EVENT, "00000000-0000-0000-0000-000000000000", SMALL, Map.of()).body();
    service.users.put(TestUsers.withScope(Role.CONSUMER, eventTypes));
    EventLookup tombstone = erasedAt(CREATED);

    for (String route : List.of(EVENT, PAYLOAD)) {
      for (Response answer : List.of(read(route, SMALL), read(tombstone, route, ID, Map.of()))) {
        if (answer.status() == 404) {
          assertThat(answer.body()).isEqualTo(absent);
          assertThat(answer.headers()).doesNotContainKey("ETag");
        }
      }
      assertThat(read(route, SMALL).status()).isEqualTo(found);
      assertThat(read(tombstone, route, ID, Map.of()).status()).isEqualTo(erased);
    }
    assertThat(read(EVENT, ID, SMALL, Map.of("if-none-match", tag)).status())
        .isEqualTo(found == 200 ? 304 : 404);
  }

  /** Otherwise the time of a 404 would tell that the event exists. */
  @ParameterizedTest
  @ValueSource(strings = {EVENT, PAYLOAD})
  @Promise("with the same text and after the same reads as an unknown id.")
  void an_event_outside_the_scope_takes_as_many_reads_of_the_user_as_an_unknown_id(String route) {
    service.users.put(TestUsers.withScope(Role.CONSUMER, "b.*"));
    String unknown = "00000000-0000-0000-0000-000000000000";

    readsOfUsers(() -> read(route, unknown, SMALL, Map.of())); // the first request reads it early
    int forUnknown = readsOfUsers(() -> read(route, unknown, SMALL, Map.of()));

    assertThat(readsOfUsers(() -> read(route, SMALL))).isEqualTo(forUnknown);
    assertThat(readsOfUsers(() -> read(erasedAt(CREATED), route, ID, Map.of())))
        .isEqualTo(forUnknown);
  }

  private int readsOfUsers(Supplier<Response> call) {
    int before = service.users.reads();
    assertThat(call.get().status()).isEqualTo(404);
    return service.users.reads() - before;
  }

  @Test
  @Promise("A request with this tag in `If-None-Match` gets 304 without a body.")
  void a_reader_that_has_the_answer_gets_304_without_it() {
    String tag = tag(read(EVENT, SMALL));

    Response again = read(EVENT, ID, SMALL, Map.of("if-none-match", tag));

    assertThat(again.status()).isEqualTo(304);
    assertThat(again.body()).isEmpty();
    assertThat(tag(again)).isEqualTo(tag);
    assertThat(read(PAYLOAD, ID, SMALL, Map.of("if-none-match", tag)).status()).isEqualTo(200);
  }

  @Test
  @Promise("`ETag` identifies the answer.")
  void a_tag_stays_the_same_when_a_new_version_of_the_function_answers() {
    assertThat(tag(read(EVENT, SMALL)))
        .isEqualTo(EntityTag.of(ID, CREATED, EVENT, "identity").value());
    assertThat(tag(read(EVENT, ID, LARGE, Map.of("accept-encoding", "gzip"))))
        .isEqualTo(EntityTag.of(ID, CREATED, EVENT, "gzip").value());
  }

  @Test
  @Promise("A longer answer is compressed if the request has `Accept-Encoding: gzip`")
  void an_answer_over_6_megabytes_is_compressed() throws IOException {
    Response answer = read(PAYLOAD, ID, LARGE, Map.of("accept-encoding", "gzip"));

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.headers()).containsEntry("Content-Encoding", "gzip");
    byte[] body = Base64.getDecoder().decode(answer.body());
    assertThat(Gzip.decompressing(new ByteArrayInputStream(body)).readAllBytes())
        .isEqualTo(LARGE.getBytes(UTF_8));
  }

  @Test
  @Promise("otherwise it gets 406 `not_acceptable`.")
  void a_client_that_does_not_accept_gzip_gets_406_instead() {
    Response answer = read(PAYLOAD, LARGE);

    assertThat(answer.status()).isEqualTo(406);
    assertThat(answer.notes()).containsEntry("code", "not_acceptable");
  }

  @Test
  void a_smaller_answer_is_not_compressed_for_a_client_that_accepts_gzip() {
    Response answer = read(PAYLOAD, ID, SMALL, Map.of("accept-encoding", "gzip"));

    assertThat(answer.headers()).doesNotContainKey("Content-Encoding");
    assertThat(answer.body()).isEqualTo(SMALL);
  }

  private static EventLookup erasedAt(String time) {
    return (id, isReadable) -> new LookupOutcome.Erased(Instant.parse(time));
  }

  private Response read(String route, String payload) {
    return read(route, ID, payload, Map.of());
  }

  private Response read(String route, String id, String payload, Map<String, String> headers) {
    EventLookup events =
        (wanted, isReadable) ->
            wanted.equals(UUID.fromString(ID))
                    && isReadable.orElse(type -> true).test(stored(payload).event().type())
                ? new LookupOutcome.Found(stored(payload))
                : new LookupOutcome.Absent();
    return read(events, route, id, headers);
  }

  private Response read(EventLookup events, String route, String id, Map<String, String> headers) {
    Map<String, String> all = new HashMap<>(headers);
    all.put("authorization", "Bearer " + service.token());
    return ReadEventFunction.handler(service.guard, events)
        .handle(new Request("r", route, "192.0.2.1", all, Map.of("id", id), "", "", false));
  }

  private static StoredEvent stored(String payload) {
    WebhookEvent event =
        new WebhookEvent(
            UUID.fromString(ID), new EventType("a.b"), Deliveries.NONE, Instant.parse(CREATED));
    return new StoredEvent(event, CONNECTOR.id(), payload);
  }

  private static String tag(Response answer) {
    return answer.headers().getOrDefault("ETag", "");
  }
}
