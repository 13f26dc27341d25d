package dev.connectorevents.functions.listevents;

import static dev.connectorevents.user.TestUsers.CONNECTOR;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.event.Delivery;
import dev.connectorevents.event.EventList;
import dev.connectorevents.event.EventPage;
import dev.connectorevents.event.EventPosition;
import dev.connectorevents.event.EventQuery;
import dev.connectorevents.event.EventType;
import dev.connectorevents.event.EventTypes;
import dev.connectorevents.event.WebhookEvent;
import dev.connectorevents.functions.GatewayEvent;
import dev.connectorevents.functions.GatewayEvent.ParsedAnswer;
import dev.connectorevents.functions.TestService;
import dev.connectorevents.http.AnswerSize;
import dev.connectorevents.user.Role;
import dev.connectorevents.user.TestUsers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ListEventsFunctionTest {

  private static final EventPosition POSITION =
      new EventPosition(Instant.parse("2026-11-20T11:00:00Z"), new UUID(1, 2));

  private final TestService service = new TestService();
  private final Recorded list = new Recorded();

  /** Answers each call with one page, and records what the last call asked for. */
  private static final class Recorded implements EventList {

    private EventPage answer = new EventPage(List.of(), Optional.empty(), false);
    private Runnable meanwhile = () -> {};
    private int calls;
    private Optional<EventTypes> scope = Optional.empty();
    private Optional<EventPosition> after = Optional.empty();
    private Instant completeUntil = Instant.MIN;

    @Override
    public EventPage page(
        EventQuery query,
        Optional<EventTypes> scopeOfReader,
        Optional<EventPosition> position,
        Instant until,
        int limit) {
      calls++;
      scope = scopeOfReader;
      after = position;
      completeUntil = until;
      meanwhile.run();
      return answer;
    }
  }

  @BeforeEach
  void makeConsumer() {
    service.users.put(TestUsers.withRole(Role.CONSUMER));
  }

  @Test
  void a_list_is_complete_up_to_the_lag_the_longest_write_and_the_skew_of_clocks() {
    list.meanwhile = () -> service.clock.advance(Duration.ofSeconds(1)); // the queries take time
    // 12:00:00.123456 minus lag (10 s), longest write and clock skew (2 s)
    assertThat(list("").body())
        .hasToString(
            "{\"events\":[],\"more\":false,\"complete_until\":\"2026-11-20T11:59:40.123Z\"}");
    assertThat(list.completeUntil).isEqualTo(Instant.parse("2026-11-20T11:59:40.123Z"));
  }

  @Test
  void an_entry_has_its_members_and_its_user_but_not_the_response() {
    Delivery delivery = new Delivery(42L, "received", "long", 1, null, null);
    String members =
        "{\"id\":\"%s\",\"event_type\":\"a.b\",\"connector_installation_id\":42,"
                .formatted(POSITION.id())
            + "\"status\":\"received\",\"attempts\":1,"
            + "\"created_at\":\"2026-11-20T11:00:00.000Z\",\"user_id\":\"%s\""
                .formatted(CONNECTOR.id());
    String payload = "{\"a\" : 1.0}";
    EventPage.Entry erasure = new EventPage.ListedErasure(POSITION.id(), POSITION.createdAt());

    answer(Optional.empty(), event("a.b", delivery, Optional.of(payload)), erasure);
    assertThat(list("include=payload,erasures").text())
        .startsWith(
            "{\"events\":[%s,\"payload\":%s},{\"id\":\"%s\",\"erased_at\":\"%s\"}],"
                .formatted(members, payload, POSITION.id(), "2026-11-20T11:00:00.000Z"));

    answer(Optional.empty(), event("a.b", delivery, Optional.empty()));
    assertThat(list("include=payload").text())
        .startsWith(
            "{\"events\":[%s,\"payload_at\":\"/api/webhook-events/%s/payload\"}],"
                .formatted(members, POSITION.id()));
    assertThat(list("").text()).startsWith("{\"events\":[%s}],".formatted(members));
  }

  /**
   * Lambda limits an answer to 6 MB. A function returns its body as a JSON string, whose escapes
   * count too.
   */
  @Test
  void the_largest_page_is_below_the_limit_of_an_answer() {
    Delivery delivery =
        new Delivery(
            Long.MAX_VALUE, "\1".repeat(255), null, Integer.MAX_VALUE, Instant.MAX, Instant.MAX);
    List<EventPage.Entry> entries =
        new ArrayList<>(
            Collections.nCopies(99, event("a." + "b".repeat(253), delivery, Optional.of("{}"))));
    String quotes = "\\\"".repeat((int) (EventPage.MAX_PAYLOADS / 4) - 100);
    entries.add(event("a.b", delivery, Optional.of("{\"a\":\"" + quotes + "\"}")));
    list.answer = new EventPage(entries, Optional.of(POSITION), true);

    ParsedAnswer answer = list("include=payload");

    assertThat(answer.body().get("events")).hasSize(100);
    assertThat(AnswerSize.exceeds(answer.text())).isFalse();
  }

  @Test
  void every_page_of_a_list_makes_the_same_promise() {
    answer(Optional.of(POSITION));
    ParsedAnswer first = list("event_type=a.b&from=2026-11-20T10:00:00%2B00:00");
    service.clock.advance(Duration.ofMinutes(1));

    ParsedAnswer second =
        list(
            "event_type=a.b&from=2026-11-20T10:00:00Z&limit=7&cursor="
                + first.body().get("next").textValue());

    assertThat(list.after).hasValue(POSITION);
    assertThat(second.body().get("complete_until")).isEqualTo(first.body().get("complete_until"));
    assertThat(first.body().get("more").booleanValue()).isTrue();
    assertThat(first.headers()).doesNotContainKey("Link");
  }

  @Test
  void the_promise_of_a_feed_grows_with_each_page() {
    answer(Optional.of(POSITION));
    String next = list("order=asc").body().get("next").textValue();
    Instant first = list.completeUntil;
    service.clock.advance(Duration.ofMinutes(1));

    ParsedAnswer second = list("order=asc&cursor=" + next);

    assertThat(list.after).hasValue(POSITION);
    assertThat(list.completeUntil).isEqualTo(first.plus(Duration.ofMinutes(1)));
    assertThat(second.body().get("complete_until").textValue())
        .isEqualTo(list.completeUntil.toString());
  }

  @Test
  void a_static_token_of_a_consumer_is_accepted() {
    assertThat(list("", service.staticToken()).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          limit=0      | limit must be an integer from 1 to 100.
          brand_id=%ff | brand_id must be percent-encoded UTF-8: %C3%A9 for é, %20 for a space, %2B for a plus.
          %ff=7        | The query must be percent-encoded UTF-8: %C3%A9 for é, %20 for a space, %2B for a plus.
          hunter2=%ff  | The query must be percent-encoded UTF-8: %C3%A9 for é, %20 for a space, %2B for a plus.
          """)
  void a_broken_rule_is_a_422_and_no_query(String query, String detail) {
    ParsedAnswer answer = list(query);

    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.code()).isEqualTo("validation_failed");
    assertThat(answer.body().get("detail").textValue()).isEqualTo(detail);
    assertThat(answer.body().has("errors")).isFalse();
    assertThat(list.calls).isZero();
  }

  @Test
  void patterns_outside_the_scope_are_forbidden_after_the_query_was_judged() {
    service.users.put(TestUsers.withScope(Role.CONSUMER, "a.*"));

    ParsedAnswer answer = list("event_type=b.c,b.d*&include=erasures");

    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.body().get("detail").textValue())
        .isEqualTo("The user's event types are a.*. No event type among them matches b.c,b.d*.");
    assertThat(list("event_type=b.c&limit=0").status()).isEqualTo(422);
    assertThat(list.calls).isZero();
    assertThat(list("event_type=b.c,a.c*").status()).isEqualTo(200);
  }

  @Test
  void the_index_judges_by_the_scope_that_the_user_has_now() {
    assertThat(list("").status()).isEqualTo(200);
    assertThat(list.scope).isEmpty();
    service.users.put(TestUsers.withScope(Role.CONSUMER, "a.*,b.c"));
    list("");
    int reads = service.users.reads();
    service.users.put(TestUsers.withScope(Role.CONSUMER, "a.*,b.*"));

    list("");

    assertThat(list.scope).isEqualTo(EventTypes.parse("a.*,b.*"));
    assertThat(service.users.reads() - reads).isEqualTo(2);
  }

  private static EventPage.ListedEvent event(
      String type, Delivery delivery, Optional<String> payload) {
    return new EventPage.ListedEvent(
        new WebhookEvent(POSITION.id(), new EventType(type), delivery, POSITION.createdAt()),
        CONNECTOR.id(),
        payload);
  }

  private void answer(Optional<EventPosition> next, EventPage.Entry... entries) {
    list.answer = new EventPage(List.of(entries), next, next.isPresent());
  }

  private ParsedAnswer list(String query) {
    return list(query, service.token());
  }

  private ParsedAnswer list(String query, String token) {
    return GatewayEvent.read("me")
        .withToken(token)
        .withQuery(query)
        .sendTo(
            ListEventsFunction.handler(service.guard, list, Duration.ofSeconds(10), service.clock));
  }
}
