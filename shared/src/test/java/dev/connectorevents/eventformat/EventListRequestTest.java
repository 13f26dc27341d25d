package dev.connectorevents.eventformat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Promise;
import dev.connectorevents.event.EventOrder;
import dev.connectorevents.event.EventPlace;
import dev.connectorevents.event.EventQuery;
import dev.connectorevents.event.TestQuery;
import dev.connectorevents.feed.FeedCursor;
import dev.connectorevents.feed.FeedWindow;
import dev.connectorevents.http.Request;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventListRequestTest {

  private static final EventPlace PLACE =
      new EventPlace(
          Instant.parse("2026-11-20T11:00:00.456Z"),
          UUID.fromString("019aa1f0-2c3b-7d4e-8f50-a1b2c3d4e5f6"));

  @Test
  @Promise("1 to 1,000, default 50")
  void without_parameters_a_list_has_fifty_events_of_all_types_and_times_newest_first() {
    assertThat(read("")).isEqualTo(valid(new TestQuery().get(), 50));
  }

  @Test
  @Promise("separated by commas, or in repeated parameters.")
  void every_parameter_is_read() {
    assertThat(
            read(
                "event_type=a.b,shopify.orders/*&event_type=gitlab.Push+Hook&order=desc&limit=7"
                    + "&include=payload,erasures&from=2026-11-20T12:00:00Z"
                    + "&to=2026-11-20T13:30:00%2B01:00"))
        .isEqualTo(
            valid(
                TestQuery.ofTypes("a.b,shopify.orders/*,gitlab.Push Hook")
                    .from(Instant.parse("2026-11-20T12:00:00Z"))
                    .to(Instant.parse("2026-11-20T12:30:00Z"))
                    .withPayloads()
                    .withErasures()
                    .get(),
                7));
    assertThat(read("brand_id=%C3%A9&event_type=*&order=desc&include=payload"))
        .isEqualTo(
            new EventListRequest.Valid.OfBrand(
                TestQuery.ofTypes("*").brand("é").withPayloads().get(), 50, Optional.empty()));
  }

  @ParameterizedTest
  @CsvSource({"1/1, 1, 1", "2/8, 2, 8", "64/64, 64, 64"})
  @Promise("64 shares at most")
  void a_reader_may_ask_for_a_part_of_the_feed(String text, int part, int parts) {
    assertThat(read("order=asc&share=" + text))
        .isEqualTo(valid(new TestQuery().share(part, parts).get(), 50));
  }

  @Test
  void a_window_of_the_feed_ends_at_a_cursor() {
    FeedWindow window =
        new FeedWindow(FeedCursor.parse("3f9a01c2-3"), FeedCursor.parse("3f9a01c2-7"));

    assertThat(read("order=asc&limit=1000&cursor=3f9a01c2-3&until=3f9a01c2-7"))
        .isEqualTo(
            new EventListRequest.Valid.OfFeed(
                new TestQuery().order(EventOrder.ASC).get(), 1_000, window));
  }

  @Test
  void a_time_between_two_milliseconds_counts_as_the_later_one() {
    assertThat(read("from=2026-11-20T12:00:00.0001Z&to=2026-11-20T13:00:00.002%2B01:00"))
        .isEqualTo(
            valid(
                new TestQuery()
                    .from(Instant.parse("2026-11-20T12:00:00.001Z"))
                    .to(Instant.parse("2026-11-20T12:00:00.002Z"))
                    .get(),
                50));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a=b                    | Unknown parameter a. A list takes the parameters event_type, brand_id, share, order, from, to, until, limit, include, cursor.
          brand_id=7&From=2026   | Unknown parameter From.
          event_type%5B%5D=a.b   | Unknown parameter event_type[].
          $top=7                 | Unknown parameter $top.
          per-page=7             | Unknown parameter per-page.
          hunter2=7              | Unknown parameter. A list takes
          event_type             | event_type must not be empty.
          event_type=a.b&event_type= | event_type must not be empty.
          event_type=Shopify     | event_type must be patterns, percent-encoded and separated by commas; each is *, <provider>.*,
          event_type=gitlab./Push | event_type must be
          event_type=a.b,        | event_type must be
          event_type=a.b,+c.d    | event_type must be
          event_type=a*          | event_type must be
          event_type=Shopify.Orders | The provider in event_type must be in lower case
          event_type=a.b,a.b     | event_type must have 1 to 20 patterns, each once.
          event_type=a.b&event_type=a.b | event_type must have 1 to 20 patterns, each once.
          from=2026-11-20T12:00:00Z&to=2026-11-20T12:00:00Z          | from must be before to.
          from=2026-11-20T12:00:01Z&to=2026-11-20T13:00:00%2B01:00   | from must be before to.
          from=2026-11-20T12:00:00Z&from=2026-11-20T12:00:00Z        | from must be given once.
          brand_id=7&brand_id=8  | brand_id must be given once.
          brand_id=7&include=erasures | include=erasures excludes brand_id: an erased event has no brand.
          include=payloads       | include must be payload, erasures, or both with a comma.
          include=payload,payload | include must be payload, erasures, or both with a comma.
          order=asc&share=0/8    | share must be i/n with 1 <= i <= n <= 64, as in 2/8.
          order=asc&share=9/8    | share must be i/n
          order=asc&share=1/65   | share must be i/n
          order=asc&share=01/8   | share must be i/n
          order=asc&share=1      | share must be i/n
          order=asc&share=1/8&share=2/8 | share must be given once.
          share=1/8              | share needs order=asc: readers share the feed.
          order=ASC              | order must be asc or desc.
          order=asc&to=2026-11-20T12:00:00Z | to is for lists newest first. The feed ends at until, a cursor.
          until=3f9a01c2-7       | until needs order=asc: it ends a window of the feed.
          brand_id=7&until=3f9a01c2-7 | until needs order=asc: it ends a window of the feed.
          order=asc&until=7      | until must be a position of the feed, as in 3f9a01c2-1234:
          limit=0                | limit must be an integer from 1 to 1000.
          limit=1001             | limit must be an integer from 1 to 1000.
          limit=01               | limit must be an integer from 1 to 1000.
          limit=1.0              | limit must be an integer from 1 to 1000.
          from=today             | from must be a date-time
          to=2026-11-20          | to must be a date-time
          cursor=!               | cursor must be the next of an earlier answer
          """)
  @Promise({
    "So does an unknown or an empty parameter",
    "A parameter that breaks its rule gets 422 `validation_failed`.",
    "`from` must be before `to`.",
    "`erasures` excludes `brand_id`"
  })
  void a_broken_rule_is_named(String query, String detail) {
    assertThat(read(query))
        .isInstanceOfSatisfying(
            EventListRequest.Invalid.class,
            invalid -> assertThat(invalid.detail()).startsWith(detail));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "event_type",
        "brand_id",
        "share",
        "order",
        "from",
        "to",
        "until",
        "limit",
        "include",
        "cursor"
      })
  void an_empty_value_breaks_only_the_rule_that_there_must_be_one(String name) {
    assertThat(read(name + "="))
        .isEqualTo(new EventListRequest.Invalid(name + " must not be empty."));
  }

  @Test
  void all_broken_rules_are_named() {
    assertThat(read("limit=x&from=y&to=z&event_type=q&page=2&order=up&include=all&brand_id="))
        .isInstanceOfSatisfying(
            EventListRequest.Invalid.class,
            invalid ->
                assertThat(invalid.detail())
                    .contains(
                        "Unknown parameter page.",
                        "event_type must",
                        "limit must",
                        "from must",
                        "to must",
                        "order must",
                        "include must",
                        "brand_id must"));
  }

  @Test
  @Promise("at most 2,046 bytes in UTF-8.")
  void a_brand_that_is_too_long_for_a_key_has_no_list() {
    assertThat(read("brand_id=" + "%C3%A9".repeat(1_023)))
        .isInstanceOf(EventListRequest.Valid.class);
    assertThat(read("brand_id=" + "%C3%A9".repeat(1_024)))
        .isInstanceOf(EventListRequest.Invalid.class);
  }

  /** Columns: the other parameters, the cursor, and whether it is one of the list. */
  @ParameterizedTest
  @CsvSource({
    "order=asc, 3f9a01c2-12, true",
    "order=asc&brand_id=b&include=payload, 3f9a01c2-0, true",
    "order=desc&from=2026-11-20T12:00:00Z, 3f9a01c2-999999999999999999, true",
    "order=asc, 0, true",
    "order=desc, 0, false",
    "order=asc, 3f9a01c2, false",
    "order=asc, 3f9a01c2-, false",
    "order=asc, 3f9a01c2-01, false",
    "order=asc, 3f9a01c2-1000000000000000000, false",
    "order=asc, 3f9a01c2--1, false",
    "order=asc, 3F9A01C2-1, false",
    "order=asc, 3f9a01c-1, false",
    "order=asc, 00, false",
    "order=desc&brand_id=b, 3f9a01c2-12, false",
  })
  @Promise("Any user's token and any other parameters may go on with it.")
  void a_cursor_of_the_feed_is_one_under_any_parameters_but_those_of_a_brands_list(
      String others, String cursor, boolean isOne) {
    EventListRequest request = read(others + "&cursor=" + cursor);

    assertThat(request instanceof EventListRequest.Valid.OfFeed).isEqualTo(isOne);
    if (request instanceof EventListRequest.Valid.OfFeed list) {
      assertThat(list.window().cursor().orElseThrow().text()).isEqualTo(cursor);
    }
  }

  @Test
  @Promise("its `next` only fits the same brand.")
  void a_cursor_of_a_brands_list_is_one_of_that_brand_only() {
    String text = BrandCursor.text(PLACE, "b");

    assertThat(text).matches("[A-Za-z0-9_-]{43}");
    for (String same : List.of("", "&limit=3", "&event_type=a.b", "&include=payload")) {
      assertThat(read("brand_id=b" + same + "&cursor=" + text))
          .isInstanceOfSatisfying(
              EventListRequest.Valid.OfBrand.class,
              list -> assertThat(list.cursor()).hasValue(PLACE));
    }
    for (String other : List.of("brand_id=c", "brand_id=b&order=asc", "order=desc")) {
      assertThat(read(other + "&cursor=" + text)).isInstanceOf(EventListRequest.Invalid.class);
    }
  }

  @Test
  void a_cursor_of_a_year_that_no_key_has_is_none() {
    EventPlace far = new EventPlace(Instant.parse("+12000-01-01T00:00:00Z"), new UUID(1, 2));

    assertThat(read("brand_id=b&cursor=" + BrandCursor.text(far, "b")))
        .isInstanceOf(EventListRequest.Invalid.class);
  }

  @Test
  void a_changed_cursor_of_a_brands_list_is_none() {
    String text = BrandCursor.text(PLACE, "b");
    Random random = new Random(1);
    String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/ é";
    for (int i = 0; i < 1_000; i++) {
      StringBuilder changed = new StringBuilder(text);
      int at = random.nextInt(changed.length());
      switch (i % 3) {
        case 0 -> changed.setCharAt(at, alphabet.charAt(random.nextInt(alphabet.length())));
        case 1 -> changed.deleteCharAt(at);
        default -> changed.insert(at, alphabet.charAt(random.nextInt(alphabet.length())));
      }
      if (!changed.toString().equals(text)) {
        assertThat(BrandCursor.parse(changed.toString(), "b")).as(changed.toString()).isEmpty();
      }
    }
  }

  private static EventListRequest valid(EventQuery query, int limit) {
    return new EventListRequest.Valid.OfFeed(query, limit, FeedWindow.ALL);
  }

  private static EventListRequest read(String rawQuery) {
    return EventListRequest.read(
        new Request("", "", "", Map.of(), Map.of(), rawQuery, "", false).query().orElseThrow());
  }
}
