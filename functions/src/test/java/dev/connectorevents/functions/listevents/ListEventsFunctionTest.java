package dev.connectorevents.functions.listevents;

import static dev.connectorevents.user.TestUsers.CONNECTOR;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.Json;
import dev.connectorevents.Promise;
import dev.connectorevents.event.BrandList;
import dev.connectorevents.event.Deliveries;
import dev.connectorevents.event.Delivery;
import dev.connectorevents.event.EventOrder;
import dev.connectorevents.event.EventPlace;
import dev.connectorevents.event.EventQuery;
import dev.connectorevents.event.EventType;
import dev.connectorevents.event.EventTypes;
import dev.connectorevents.event.FeedPosition;
import dev.connectorevents.event.ListEntry;
import dev.connectorevents.event.PageRoom;
import dev.connectorevents.event.WebhookEvent;
import dev.connectorevents.eventformat.EventJson;
import dev.connectorevents.feed.EventFeed;
import dev.connectorevents.feed.FeedCursor;
import dev.connectorevents.feed.FeedWindow;
import dev.connectorevents.feed.Whole;
import dev.connectorevents.functions.GatewayEvent;
import dev.connectorevents.functions.GatewayEvent.ParsedAnswer;
import dev.connectorevents.functions.RecordingContext;
import dev.connectorevents.functions.TestService;
import dev.connectorevents.http.AnswerSize;
import dev.connectorevents.user.Role;
import dev.connectorevents.user.TestUsers;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ListEventsFunctionTest {

  private static final UUID ID = new UUID(1, 2);
  private static final Instant CREATED = Instant.parse("2026-11-20T11:00:00Z");
  private static final FeedCursor CURSOR = new FeedCursor(Optional.of("3f9a01c2"), 7);

  private final TestService service = new TestService();
  private final RecordedFeed feed = new RecordedFeed();
  private final RecordedBrands brands = new RecordedBrands();

  /** What the last call has asked for, of the feed or of a brand's list. */
  private record Asked(
      EventQuery query, Optional<EventTypes> scope, Optional<?> after, int limit) {}

  private @Nullable Asked asked;

  /** Answers each call alike. */
  private final class RecordedFeed implements EventFeed {

    private Outcome answer = pageOf(Optional.of(CURSOR), false);

    @Override
    public Outcome page(
        EventQuery query, Optional<EventTypes> scope, FeedWindow window, int limit) {
      asked = new Asked(query, scope, window.cursor(), limit);
      return answer;
    }
  }

  /** Answers each call alike. */
  private final class RecordedBrands implements BrandList {

    private Page answer = new Page(List.of(), Optional.empty());

    @Override
    public Page page(
        EventQuery query, Optional<EventTypes> scope, Optional<EventPlace> after, int limit) {
      asked = new Asked(query, scope, after, limit);
      return answer;
    }
  }

  @BeforeEach
  void makeConsumer() {
    service.users.put(TestUsers.withRole(Role.CONSUMER));
  }

  @Test
  @Promise("An event is shown as at its creation, but without `response`.")
  void an_entry_has_its_members_and_its_user_but_not_the_response() {
    Delivery delivery = new Delivery(42L, "received", "long", 1, null, null);
    String members =
        "\"id\":\"%s\",\"event_type\":\"a.b\",\"connector_installation_id\":42,".formatted(ID)
            + "\"status\":\"received\",\"attempts\":1,"
            + "\"created_at\":\"2026-11-20T11:00:00.000Z\",\"user_id\":\"%s\""
                .formatted(CONNECTOR.id());
    String payload = "{\"a\" : 1.0}";

    feed.answer =
        pageOf(
            Optional.of(CURSOR),
            false,
            event(4, "a.b", delivery, Optional.of(payload)),
            new ListEntry.OfErasure(new FeedPosition(6, CREATED.plusSeconds(9)), ID, CREATED));
    assertThat(list("include=payload,erasures").text())
        .startsWith(
            "{\"events\":[{\"position\":4,\"numbered_at\":\"2026-11-20T11:00:02.000Z\",%s,\"payload\":%s},"
                    .formatted(members, payload)
                + "{\"position\":6,\"numbered_at\":\"2026-11-20T11:00:09.000Z\",\"id\":\"%s\",\"erased_at\":\"2026-11-20T11:00:00.000Z\"}],"
                    .formatted(ID));

    feed.answer = pageOf(Optional.of(CURSOR), false, event(4, "a.b", delivery, Optional.empty()));
    assertThat(list("include=payload").text())
        .startsWith(
            "{\"events\":[{\"position\":4,\"numbered_at\":\"2026-11-20T11:00:02.000Z\",%s,\"payload_at\":\"/api/webhook-events/%s/payload\"}],"
                .formatted(members, ID));
    assertThat(list("").text())
        .startsWith(
            "{\"events\":[{\"position\":4,\"numbered_at\":\"2026-11-20T11:00:02.000Z\",%s}],"
                .formatted(members));
  }

  /**
   * Lambda limits an answer to 6 MB. A function returns its body as a JSON string, whose escapes
   * count too.
   */
  @Test
  void the_largest_page_is_below_the_limit_of_an_answer() {
    Delivery delivery =
        new Delivery(
            Long.MAX_VALUE,
            "\1".repeat(255),
            null,
            Integer.MAX_VALUE,
            Instant.parse("9999-12-31T23:59:59.999999999Z"),
            Instant.parse("9999-12-31T23:59:59.999999999Z"));
    PageRoom room = new PageRoom(InstantSource.system());
    List<ListEntry> entries = new ArrayList<>();
    ListEntry next =
        event(Long.MAX_VALUE, "a." + "b".repeat(253), delivery, Optional.of("{\"a\":\"\\\"\"}"));
    while (entries.size() < EventFeed.MOST_ENTRIES && room.take(next)) {
      entries.add(next);
      // The last one is without a payload, and has its path.
      next = event(Long.MAX_VALUE, "a." + "b".repeat(253), delivery, Optional.empty());
    }
    assertThat(entries)
        .allSatisfy(entry ->
            assertThat(Json.sizeInString(EventJson.text(entry, true)))
                .isLessThanOrEqualTo(entry.size()));
    feed.answer = pageOf(Optional.of(CURSOR), true, entries.toArray(ListEntry[]::new));

    ParsedAnswer answer = list("include=payload");

    assertThat(answer.body().get("events")).hasSameSizeAs(entries).hasSizeGreaterThan(900);
    assertThat(AnswerSize.exceeds(answer.text())).isFalse();
  }

  @Test
  @Promise("a page of events without their payloads")
  void a_page_of_the_feed_says_where_the_next_one_begins_and_where_the_feed_ends() {
    feed.answer = pageOf(Optional.of(CURSOR), true);
    assertThat(list("order=asc").text())
        .isEqualTo(
            "{\"events\":[],\"next\":\"3f9a01c2-7\",\"more\":true,\"head\":9,"
                + "\"whole_since\":\"2026-11-20T11:00:00.000Z\","
                + "\"whole_until\":\"2026-11-20T11:01:00.000Z\"}");

    feed.answer = pageOf(Optional.empty(), false);
    assertThat(list("").text())
        .isEqualTo(
            "{\"events\":[],\"more\":false,\"head\":9,"
                + "\"whole_until\":\"2026-11-20T11:01:00.000Z\"}");
  }

  @Test
  @Promise(
      "how many positions are left to read after it, and how long ago the first of them was given.")
  void the_log_says_how_far_a_reader_of_the_feed_is_behind() {
    feed.answer = pageOf(Optional.of(CURSOR), true);

    assertThat(logOf("order=asc&share=2/8"))
        .contains("\"behind\":2,", "\"behind_seconds\":61,")
        .doesNotContain("has_from");
    assertThat(logOf("order=asc&from=2026-11-20T11:00:00Z")).contains("\"has_from\":true");
    for (String other : List.of("order=asc&until=3f9a01c2-7", "", "brand_id=b")) {
      assertThat(logOf(other)).contains("\"status\":200").doesNotContain("behind");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          order=asc | 4,5,6   | "shown":3 "first_position":4 "last_position":6 "feed":"3f9a01c2"
          ''        | 6,5,4   | "shown":3 "first_position":4 "last_position":6 "feed":"3f9a01c2"
          order=asc | 7       | "shown":1 "first_position":7 "last_position":7
          order=asc | 2,4,5,9 | "shown":4 "positions":"2,4-5,9"
          order=asc&event_type=a.*,b.c&share=2/8&include=payload | 4 | "event_types":"a.*,b.c" "share":"2/8" "include":"payload"
          order=asc&brand_id=acme | 4 | "brand_hash":"822b"
          """)
  void the_log_says_which_positions_a_page_has_shown_and_to_what_question(
      String query, String shown, String members) {
    ListEntry.OfErasure erasure =
        new ListEntry.OfErasure(new FeedPosition(8, CREATED), ID, CREATED);
    feed.answer =
        pageOf(
            Optional.of(CURSOR),
            false,
            Stream.concat(
                    Stream.of(shown.split(","))
                        .map(it ->
                            event(Long.parseLong(it), "a.b", Deliveries.NONE, Optional.empty())),
                    Stream.of(erasure))
                .toArray(ListEntry[]::new));

    assertThat(logOf(query)).contains(members.split(" "));
    assertThat(logOf(query).contains("\"positions\"")).isEqualTo(members.contains("\"positions\""));
    service.users.put(TestUsers.withScope(Role.CONSUMER, "a.*,b.c"));
    assertThat(logOf(query)).contains("\"scope\":\"a.*,b.c\"");
    feed.answer = pageOf(Optional.of(CURSOR), false, erasure);
    assertThat(logOf(query)).doesNotContain("shown", "scope", "event_types");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          order=asc                                   | 0 | 7 | -
          order=asc&cursor=3f9a01c2-4                 | 4 | 7 | -
          order=asc&cursor=3f9a01c2-4&until=3f9a01c2-7&share=2/8&include=erasures | 4 | 7 | true
          order=asc&from=2026-11-20T11:00:00Z&include=erasures | - | - | true
          include=erasures                            | - | - | -
          """)
  void the_log_says_between_which_positions_a_page_of_the_feed_has_come_also_an_empty_one(
      String query, @Nullable String after, @Nullable String next, @Nullable String erasures)
      throws IOException {
    feed.answer = pageOf(Optional.of(CURSOR), true);

    JsonNode line = new ObjectMapper().readTree(logOf(query));

    assertThat(line.path("after").asText(null)).isEqualTo(after);
    assertThat(line.path("next").asText(null)).isEqualTo(next);
    assertThat(line.path("erasures").asText(null)).isEqualTo(erasures);
    assertThat(line.path("feed").asText())
        .isEqualTo(query.startsWith("order=asc") ? "3f9a01c2" : "");
    assertThat(line.path("share").asText()).isEqualTo(query.contains("share") ? "2/8" : "");
  }

  @Test
  void the_log_says_between_which_times_the_shown_events_of_a_brand_were_created() {
    ListEntry.OfEvent newest = event(9, "a.b", Deliveries.NONE, Optional.empty());
    WebhookEvent older =
        new WebhookEvent(ID, new EventType("a.b"), Deliveries.NONE, CREATED.minusSeconds(1));
    brands.answer =
        new BrandList.Page(
            List.of(
                newest,
                new ListEntry.OfEvent(Optional.empty(), older, CONNECTOR.id(), Optional.empty())),
            Optional.empty());

    assertThat(logOf("brand_id=acme&event_type=a.*"))
        .contains(
            "\"shown\":2",
            "\"brand_hash\":\"822b\"",
            "\"event_types\":\"a.*\"",
            "\"first_created_at\":\"2026-11-20T11:00:00.000Z\"",
            "\"last_created_at\":\"2026-11-20T10:59:59.000Z\"",
            "\"first_id\":\"" + ID + "\"",
            "\"last_id\":\"" + ID + "\"")
        .doesNotContain("position", "acme");
    brands.answer = new BrandList.Page(List.of(), Optional.empty());
    assertThat(logOf("brand_id=acme")).doesNotContain("shown", "brand_hash");
  }

  private String logOf(String query) {
    RecordingContext context = new RecordingContext();
    GatewayEvent.read("me")
        .withToken(service.token())
        .withQuery(query)
        .sendTo(ListEventsFunction.handler(service.guard, feed, brands), context);
    return context.lines().getFirst();
  }

  @Test
  @Promise("Any user's token and any other parameters may go on with it.")
  void the_feed_goes_on_at_a_cursor_in_either_order_and_of_a_brand_too() {
    list("order=asc&brand_id=b&event_type=a.*&limit=7&cursor=3f9a01c2-7");

    assertThat(asked)
        .isEqualTo(
            new Asked(
                new EventQuery(
                    EventTypes.parse("a.*"),
                    Optional.of("b"),
                    Optional.empty(),
                    EventOrder.ASC,
                    Optional.empty(),
                    Optional.empty(),
                    false,
                    false),
                Optional.empty(),
                Optional.of(CURSOR),
                7));
  }

  @ParameterizedTest
  @ValueSource(strings = {"order=asc&", ""})
  @Promise("A `cursor` of another feed gets 422 `validation_failed`, and so does one past `head`.")
  void a_cursor_of_another_feed_is_a_422_that_says_what_to_do(String query) {
    feed.answer = new EventFeed.Outcome.ForeignCursor();

    ParsedAnswer answer = list(query + "cursor=3f9a01c2-7");

    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.code()).isEqualTo("validation_failed");
    assertThat(answer.body().get("detail").textValue())
        .startsWith("cursor: this position belongs to another feed")
        .endsWith(": begin without a cursor.");
    feed.answer = new EventFeed.Outcome.ForeignUntil();
    assertThat(list("order=asc&until=3f9a01c2-7").body().get("detail").textValue())
        .startsWith("until: this position belongs to another feed, or the feed has not come to it");
  }

  @Test
  @Promise("The list has neither positions nor a head")
  void a_list_of_a_brand_goes_on_at_its_own_cursor_and_has_neither_positions_nor_a_head() {
    EventPlace place = new EventPlace(CREATED, ID);
    ListEntry.OfEvent event =
        new ListEntry.OfEvent(
            Optional.empty(),
            new WebhookEvent(ID, new EventType("a.b"), Deliveries.NONE, CREATED),
            CONNECTOR.id(),
            Optional.empty());
    brands.answer = new BrandList.Page(List.of(event), Optional.of(place));

    ParsedAnswer first = list("brand_id=b");
    String next = first.body().get("next").textValue();

    assertThat(first.text())
        .startsWith("{\"events\":[{\"id\":")
        .endsWith("],\"next\":\"" + next + "\",\"more\":true}");
    assertThat(list("brand_id=b&cursor=" + next).status()).isEqualTo(200);
    assertThat(asked).extracting(Asked::after).isEqualTo(Optional.of(place));
    assertThat(list("brand_id=c&cursor=" + next).status()).isEqualTo(422);
    assertThat(list("order=asc&brand_id=b&cursor=" + next).status()).isEqualTo(422);
    brands.answer = new BrandList.Page(List.of(), Optional.empty());
    assertThat(list("brand_id=b").text()).isEqualTo("{\"events\":[],\"more\":false}");
  }

  @Test
  @Promise("It logs in, or has a static token")
  void a_static_token_of_a_consumer_is_accepted() {
    assertThat(list("", service.staticToken()).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          limit=0      | limit must be an integer from 1 to 1000.
          brand_id=%ff | brand_id must be percent-encoded UTF-8: %C3%A9 for é, %20 for a space, %2B for a plus.
          %ff=7        | The query must be percent-encoded UTF-8: %C3%A9 for é, %20 for a space, %2B for a plus.
          hunter2=%ff  | The query must be percent-encoded UTF-8: %C3%A9 for é, %20 for a space, %2B for a plus.
          """)
  @Promise("`detail` names the rules; there is no `errors`.")
  void a_broken_rule_is_a_422_and_no_query(String query, String detail) {
    ParsedAnswer answer = list(query);

    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.code()).isEqualTo("validation_failed");
    assertThat(answer.body().get("detail").textValue()).isEqualTo(detail);
    assertThat(answer.body().has("errors")).isFalse();
    assertThat(asked).isNull();
  }

  @Test
  @Promise("If no event type can match both `event_type` and the scope, the list gets 403.")
  void patterns_outside_the_scope_are_forbidden_after_the_query_was_judged() {
    service.users.put(TestUsers.withScope(Role.CONSUMER, "a.*"));

    ParsedAnswer answer = list("event_type=b.c,b.d*&include=erasures");

    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.body().get("detail").textValue())
        .isEqualTo("The user's event types are a.*. No event type among them matches b.c,b.d*.");
    assertThat(list("event_type=b.c&limit=0").status()).isEqualTo(422);
    assertThat(asked).isNull();
    assertThat(list("event_type=b.c,a.c*").status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "brand_id=b"})
  @Promise("other events in lists and in the feed")
  void a_list_has_the_scope_that_the_user_has_now(String query) {
    service.users.put(TestUsers.withScope(Role.CONSUMER, "a.*,b.c"));
    list(query);
    int reads = service.users.reads();
    service.users.put(TestUsers.withScope(Role.CONSUMER, "a.*,b.*"));

    list(query);

    assertThat(asked).extracting(Asked::scope).isEqualTo(EventTypes.parse("a.*,b.*"));
    assertThat(service.users.reads() - reads).isEqualTo(2);
  }

  private static ListEntry.OfEvent event(
      long position, String type, Delivery delivery, Optional<String> payload) {
    return new ListEntry.OfEvent(
        Optional.of(new FeedPosition(position, CREATED.plusSeconds(2))),
        new WebhookEvent(ID, new EventType(type), delivery, CREATED),
        CONNECTOR.id(),
        payload);
  }

  private static EventFeed.Outcome pageOf(
      Optional<FeedCursor> next, boolean hasMore, ListEntry... entries) {
    return new EventFeed.Outcome.Page(
        List.of(entries),
        next,
        hasMore,
        9,
        Optional.of(
            new Whole(
                CURSOR.feed(),
                "stream",
                7,
                CREATED.plusSeconds(60),
                9,
                hasMore ? Optional.of(new Whole.Gap(Instant.EPOCH, CREATED)) : Optional.empty())),
        CURSOR.feed(),
        Duration.ofMillis(61_999));
  }

  private ParsedAnswer list(String query) {
    return list(query, service.token());
  }

  private ParsedAnswer list(String query, String token) {
    return GatewayEvent.read("me")
        .withToken(token)
        .withQuery(query)
        .sendTo(ListEventsFunction.handler(service.guard, feed, brands));
  }
}
