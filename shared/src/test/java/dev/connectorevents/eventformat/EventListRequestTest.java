package dev.connectorevents.eventformat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.event.EventPosition;
import dev.connectorevents.event.EventQuery;
import dev.connectorevents.event.EventType;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventListRequestTest {

  private static final EventQuery QUERY =
      new EventQuery(
          new EventQuery.OfType(new EventType("a.b")), Optional.empty(), Optional.empty());
  private static final EventCursor CURSOR =
      new EventCursor(
          Instant.parse("2026-11-20T12:00:00.123Z"),
          new EventPosition(
              Instant.parse("2026-11-20T11:00:00.456Z"),
              UUID.fromString("019aa1f0-2c3b-7d4e-8f50-a1b2c3d4e5f6")));

  @Test
  void without_further_parameters_a_list_has_fifty_events_of_all_times() {
    assertThat(EventListRequest.read(Map.of("event_type", "a.b")))
        .isEqualTo(new EventListRequest.Valid(QUERY, 50, Optional.empty()));
  }

  @Test
  void a_time_between_two_milliseconds_counts_as_the_later_one() {
    EventListRequest read =
        EventListRequest.read(
            Map.of(
                "brand_id",
                "7",
                "from",
                "2026-11-20T12:00:00.0001Z",
                "to",
                "2026-11-20T13:00:00.002+01:00"));

    assertThat(read)
        .isEqualTo(
            new EventListRequest.Valid(
                new EventQuery(
                    new EventQuery.OfBrand("7"),
                    Optional.of(Instant.parse("2026-11-20T12:00:00.001Z")),
                    Optional.of(Instant.parse("2026-11-20T12:00:00.002Z"))),
                50,
                Optional.empty()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          limit=7                      | Send exactly one of event_type and brand_id.
          a=b                          | A list takes only the parameters event_type, brand_id, from, to, limit and cursor. Send exactly one
          brand_id=7&page=2            | A list takes only the parameters event_type,
          brand_id=7&From=2026         | A list takes only the parameters event_type,
          event_type=a.b&brand_id=7    | Send exactly one of event_type and brand_id.
          event_type=                  | event_type must be
          event_type=Shopify           | event_type must be
          event_type=shopify.*         | event_type must be one event type, percent-encoded; provider: lowercase letters
          event_type=gitlab./Push      | event_type must be
          event_type=Shopify.Orders    | The provider in event_type must be in lower case
          brand_id=7&from=2026-11-20T12:00:00Z&to=2026-11-20T12:00:00Z    | from must be before to.
          brand_id=7&from=2026-11-20T12:00:01Z&to=2026-11-20T13:00:00+01:00 | from must be before to.
          brand_id=                    | brand_id must have 1 to 2046 bytes
          event_type=a.b&limit=0       | limit must be an integer from 1 to 100.
          event_type=a.b&limit=101     | limit must be an integer from 1 to 100.
          event_type=a.b&limit=1.0     | limit must be an integer from 1 to 100.
          event_type=a.b&limit=        | limit must be an integer from 1 to 100.
          event_type=a.b&from=today    | from must be a date-time
          event_type=a.b&to=2026-11-20 | to must be a date-time
          event_type=a.b&cursor=       | cursor must be the next of an earlier page
          event_type=a.b&cursor=!      | cursor must be the next of an earlier page
          """)
  void a_broken_rule_is_named(String query, String detail) {
    assertThat(EventListRequest.read(parameters(query)))
        .isInstanceOfSatisfying(
            EventListRequest.Invalid.class,
            invalid -> assertThat(invalid.detail()).startsWith(detail));
  }

  @Test
  void all_broken_rules_are_named() {
    assertThat(
            EventListRequest.read(parameters("limit=x&from=y&to=z&event_type=q&hunter2=hunter2")))
        .isInstanceOfSatisfying(
            EventListRequest.Invalid.class,
            invalid ->
                assertThat(invalid.detail())
                    .contains("takes only", "event_type must", "limit must", "from must", "to must")
                    .doesNotContain("hunter2"));
  }

  @Test
  void times_within_a_millisecond_are_in_order() {
    assertThat(
            EventListRequest.read(
                parameters(
                    "brand_id=7&from=2026-11-20T12:00:00.0001Z&to=2026-11-20T12:00:00.0002Z")))
        .isInstanceOf(EventListRequest.Valid.class);
  }

  @Test
  void a_brand_that_is_too_long_for_a_key_has_no_list() {
    assertThat(EventListRequest.read(Map.of("brand_id", "é".repeat(1_023))))
        .isInstanceOf(EventListRequest.Valid.class);
    assertThat(EventListRequest.read(Map.of("brand_id", "é".repeat(1_024))))
        .isInstanceOf(EventListRequest.Invalid.class);
  }

  @Test
  void a_cursor_is_read_back_for_its_own_list_only() {
    String text = CURSOR.text(QUERY);

    assertThat(text).matches("[A-Za-z0-9_-]{54}");
    assertThat(EventListRequest.read(Map.of("event_type", "a.b", "cursor", text)))
        .isEqualTo(new EventListRequest.Valid(QUERY, 50, Optional.of(CURSOR)));
    for (Map<String, String> other :
        List.of(
            Map.of("event_type", "a.c"),
            Map.of("brand_id", "a.b"),
            Map.of("event_type", "a.b", "from", "2026-11-20T12:00:00Z"),
            Map.of("event_type", "a.b", "to", "2026-11-20T12:00:00Z"))) {
      Map<String, String> query = new HashMap<>(other);
      query.put("cursor", text);
      assertThat(EventListRequest.read(query)).isInstanceOf(EventListRequest.Invalid.class);
    }
  }

  @Test
  void a_cursor_of_a_year_that_no_key_has_is_none() {
    EventCursor cursor =
        new EventCursor(
            CURSOR.completeUntil(),
            new EventPosition(Instant.parse("+12000-01-01T00:00:00Z"), new UUID(1, 2)));

    assertThat(EventListRequest.read(Map.of("event_type", "a.b", "cursor", cursor.text(QUERY))))
        .isInstanceOf(EventListRequest.Invalid.class);
  }

  @Test
  void a_changed_cursor_is_none() {
    Random random = new Random(1);
    String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/ é";
    for (int i = 0; i < 1_000; i++) {
      StringBuilder changed = new StringBuilder(CURSOR.text(QUERY));
      int at = random.nextInt(changed.length());
      switch (i % 3) {
        case 0 -> changed.setCharAt(at, alphabet.charAt(random.nextInt(alphabet.length())));
        case 1 -> changed.deleteCharAt(at);
        default -> changed.insert(at, alphabet.charAt(random.nextInt(alphabet.length())));
      }
      if (!changed.toString().equals(CURSOR.text(QUERY))) {
        assertThat(EventListRequest.read(Map.of("event_type", "a.b", "cursor", changed + "")))
            .as(changed.toString())
            .isInstanceOf(EventListRequest.Invalid.class);
      }
    }
  }

  private static Map<String, String> parameters(String query) {
    Map<String, String> parameters = new HashMap<>();
    for (String parameter : query.split("&", -1)) {
      String[] parts = parameter.split("=", 2);
      parameters.put(parts[0], parts[1]);
    }
    return parameters;
  }
}
