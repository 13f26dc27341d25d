package dev.connectorevents.functions.listevents;

import static dev.connectorevents.user.TestUsers.CONNECTOR;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.event.Deliveries;
import dev.connectorevents.event.Delivery;
import dev.connectorevents.event.EventList;
import dev.connectorevents.event.EventPage;
import dev.connectorevents.event.EventPosition;
import dev.connectorevents.event.EventType;
import dev.connectorevents.event.WebhookEvent;
import dev.connectorevents.functions.GatewayEvent;
import dev.connectorevents.functions.GatewayEvent.ParsedAnswer;
import dev.connectorevents.functions.TestService;
import dev.connectorevents.http.Handler;
import dev.connectorevents.user.Role;
import dev.connectorevents.user.TestUsers;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ListEventsFunctionTest {

  private static final EventPosition POSITION =
      new EventPosition(Instant.parse("2026-11-20T11:00:00Z"), new UUID(1, 2));

  private final TestService service = new TestService();

  @BeforeEach
  void makeConsumer() {
    service.users.put(TestUsers.withRole(Role.CONSUMER));
  }

  @Test
  void a_list_is_complete_up_to_the_lag_the_longest_write_and_the_skew_of_clocks() {
    ParsedAnswer answer = list(page(Optional.empty()), Map.of("event_type", "a.b"));

    // 12:00:00.123456 minus lag (10 s), longest write (15 s) and clock skew (2 s)
    assertThat(answer.body().toString())
        .isEqualTo("{\"events\":[],\"complete_until\":\"2026-11-20T11:59:33.123Z\"}");
    assertThat(answer.headers()).doesNotContainKey("Link");
  }

  @Test
  void a_list_is_complete_up_to_a_time_before_its_queries() {
    EventList slow =
        (events, after, limit) -> {
          service.clock.advance(Duration.ofSeconds(5));
          return new EventPage(List.of(), Optional.empty());
        };

    assertThat(list(slow, Map.of("event_type", "a.b")).body().get("complete_until").textValue())
        .isEqualTo("2026-11-20T11:59:33.123Z");
  }

  @Test
  void an_event_of_a_list_has_its_members_and_its_user_but_not_the_response() {
    Delivery delivery = new Delivery(42L, "received", "long", 1, null, null);

    ParsedAnswer answer =
        list(page(Optional.empty(), event("a.b", delivery)), Map.of("event_type", "a.b"));

    assertThat(answer.body().at("/events/0"))
        .hasToString(
            ("{\"id\":\"%s\",\"event_type\":\"a.b\",\"connector_installation_id\":42,"
                    + "\"status\":\"received\",\"attempts\":1,"
                    + "\"created_at\":\"2026-11-20T11:00:00.000Z\",\"user_id\":\"%s\"}")
                .formatted(POSITION.id(), CONNECTOR.id()));
  }

  /**
   * Lambda limits an answer to 6 MB. A function returns its body as a JSON string, whose escapes
   * count too.
   */
  @Test
  void the_largest_page_is_far_below_the_limit_of_an_answer() {
    Delivery delivery =
        new Delivery(
            Long.MAX_VALUE, "\1".repeat(255), null, Integer.MAX_VALUE, Instant.MAX, Instant.MAX);
    EventPage.ListedEvent[] events = new EventPage.ListedEvent[100];
    Arrays.fill(events, event("a." + "b".repeat(253), delivery));

    ParsedAnswer answer = list(page(Optional.of(POSITION), events), Map.of("brand_id", "7"));

    assertThat(answer.body().get("events")).hasSize(100);
    assertThat(answer.body().toString()).hasSizeLessThan(1_000_000);
  }

  @Test
  void every_page_of_a_list_makes_the_same_promise() {
    Map<String, String> query = Map.of("event_type", "a.b", "from", "2026-11-20T10:00:00+00:00");
    ParsedAnswer first = list(page(Optional.of(POSITION)), query);
    String cursor = first.body().get("next").textValue();
    service.clock.advance(Duration.ofMinutes(1));

    ParsedAnswer second =
        list(
            (events, after, limit) -> {
              assertThat(after).hasValue(POSITION);
              return new EventPage(List.of(), Optional.empty());
            },
            Map.of(
                "event_type",
                "a.b",
                "from",
                "2026-11-20T10:00:00Z",
                "cursor",
                cursor,
                "limit",
                "7"));

    assertThat(second.body().get("complete_until")).isEqualTo(first.body().get("complete_until"));
    assertThat(first.headers())
        .containsEntry(
            "Link",
            "</api/webhook-events?cursor="
                + cursor
                + "&event_type=a.b&from=2026-11-20T10%3A00%3A00%2B00%3A00>; rel=\"next\"");
  }

  @Test
  void a_static_token_of_a_consumer_is_accepted() {
    Map<String, String> query = Map.of("event_type", "a.b");

    assertThat(list(page(Optional.empty()), query, service.staticToken()).status()).isEqualTo(200);
  }

  @Test
  void a_broken_rule_is_a_422_and_no_query() {
    ParsedAnswer answer =
        list(
            (events, after, limit) -> {
              throw new AssertionError();
            },
            Map.of("limit", "0"));

    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.code()).isEqualTo("validation_failed");
  }

  @Test
  void a_list_of_a_type_outside_the_scope_is_forbidden_after_the_query_was_judged() {
    service.users.put(TestUsers.withScope(Role.CONSUMER, "a.*"));

    ParsedAnswer answer = list(page(Optional.empty()), Map.of("event_type", "b.c"));

    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.body().get("detail").textValue())
        .isEqualTo("The user's event types are a.*. The event type b.c is not among them.");
    assertThat(list(page(Optional.empty()), Map.of("event_type", "a.c")).status()).isEqualTo(200);
    Map<String, String> wrong = Map.of("event_type", "b.c", "limit", "0");
    assertThat(list(page(Optional.empty()), wrong).status()).isEqualTo(422);
  }

  @Test
  void a_list_of_a_brand_leaves_out_what_is_outside_the_scope_and_goes_on() {
    service.users.put(TestUsers.withScope(Role.CONSUMER, "a.*,b.c"));
    EventList events =
        page(
            Optional.of(POSITION),
            event("a.b", Deliveries.NONE),
            event("b.d", Deliveries.NONE),
            event("c.d", Deliveries.NONE),
            event("b.c", Deliveries.NONE));
    int reads = service.users.reads();

    ParsedAnswer answer = list(events, Map.of("brand_id", "7"));

    assertThat(answer.body().get("events").findValuesAsText("event_type"))
        .containsExactly("a.b", "b.c");
    assertThat(answer.body().has("next")).isTrue();
    assertThat(answer.body().get("complete_until").textValue())
        .isEqualTo("2026-11-20T11:59:33.123Z");
    assertThat(service.users.reads() - reads).as("the first request reads once").isEqualTo(1);
  }

  @Test
  void a_query_that_is_not_percent_encoded_utf8_is_a_422() {
    Handler route =
        ListEventsFunction.handler(
            service.guard, page(Optional.empty()), Duration.ofSeconds(10), service.clock);
    ParsedAnswer answer =
        GatewayEvent.read("me").withToken(service.token()).withQuery("brand_id=%ff").sendTo(route);

    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.body().get("detail").textValue())
        .isEqualTo("The query must be percent-encoded UTF-8.");
  }

  private static EventPage.ListedEvent event(String type, Delivery delivery) {
    return new EventPage.ListedEvent(
        new WebhookEvent(POSITION.id(), new EventType(type), delivery, POSITION.createdAt()),
        CONNECTOR.id());
  }

  private static EventList page(Optional<EventPosition> next, EventPage.ListedEvent... of) {
    return (events, after, limit) -> new EventPage(List.of(of), next);
  }

  private ParsedAnswer list(EventList events, Map<String, String> query) {
    return list(events, query, service.token());
  }

  private ParsedAnswer list(EventList events, Map<String, String> query, String token) {
    Handler route =
        ListEventsFunction.handler(service.guard, events, Duration.ofSeconds(10), service.clock);
    return GatewayEvent.read("me").withToken(token).withQuery(query).sendTo(route);
  }
}
