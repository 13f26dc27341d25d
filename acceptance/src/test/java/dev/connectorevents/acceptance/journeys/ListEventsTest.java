package dev.connectorevents.acceptance.journeys;

import static dev.connectorevents.acceptance.service.ApiClient.EVENTS;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.acceptance.service.WorldClock;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ListEventsTest {

  /** Its clock stands still, so that no page ends early on a busy machine. */
  @AutoClose
  private static final World service = World.start(new Setup().clock(WorldClock.standing()));

  private static String connector = "";
  private static String consumer = "";

  @BeforeAll
  static void logIn() {
    connector = service.client().token();
    consumer = service.operator().consumerToken();
  }

  @ParameterizedTest
  @ValueSource(strings = {"event_type=list.pages", "brand_id=" + BRAND})
  @Promise("Newest first, `next` is absent at the end of the list")
  void next_leads_through_all_events_newest_first(String filter) {
    List<String> stored = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      stored.add(
          store(
              "{\"event_type\":\"list.pages\",\"payload\":{\"_meta\":{\"brand_id\":\"a b&ü\"}}}"));
    }
    List<String> listed = new ArrayList<>();
    String query = "?limit=3&" + filter;
    String next = "";
    boolean hasMore = true;
    while (hasMore) {
      Answer page = get(query + next);
      assertThat(page.status()).as(page.body().toString()).isEqualTo(200);
      page.body().path("events").forEach(event -> listed.add(event.path("id").asText()));
      next = "&cursor=" + page.body().path("next").asText();
      hasMore = page.body().path("more").booleanValue();
      assertThat(hasMore).isEqualTo(page.body().has("next"));
    }

    assertThat(listed).doesNotHaveDuplicates().startsWith(stored.reversed().toArray(String[]::new));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "list.a b",
        "list.a+b",
        "list.a%2Bb",
        "list.a%20b",
        "list.a%C3%A9",
        "list.a&limit=2",
        "list.a=b",
        "list.a#",
        "list.a#0",
        "list.a#0#0",
        "list.a?b;c:d@e/f g",
        "list.!$%&'()-.<>[]^_`{|}~",
      })
  @Promise("Percent-encode it: `gitlab.Push%20Hook` or `gitlab.Push+Hook`.")
  void a_type_is_listed_by_its_encoded_text_and_so_is_its_next_page(String type) {
    String body = "{\"event_type\":\"" + type + "\",\"payload\":{}}";
    List<String> stored = List.of(store(body), store(body));

    String query = "?limit=1&event_type=" + URLEncoder.encode(type, UTF_8);
    Answer first = get(query);
    Answer second = get(query + "&cursor=" + first.body().path("next").asText());

    Answer third = get(query + "&cursor=" + second.body().path("next").asText());

    assertThat(third.body().path("events").isEmpty()).isTrue();
    assertThat(third.body().path("more").booleanValue()).isFalse();
    assertThat(List.of(first.body().at("/events/0"), second.body().at("/events/0")))
        .allSatisfy(event -> assertThat(event.path("event_type").asText()).isEqualTo(type))
        .extracting(event -> event.path("id").asText())
        .containsExactlyInAnyOrderElementsOf(stored);
  }

  private static final String BRAND = "a%20b%26%C3%BC";

  @Test
  @Promise("at most 2,046 bytes in UTF-8.")
  void the_longest_brand_is_listed() {
    String brand = "b".repeat(2_046);
    String payload = "{\"_meta\":{\"brand_id\":\"" + brand + "\"}}";
    String id = store("{\"event_type\":\"list.brand\",\"payload\":" + payload + "}");

    Answer answer = get("?brand_id=" + brand + "&to=9999-01-01T00:00:00Z");
    assertThat(answer.body().at("/events/0/id").asText()).isEqualTo(id);
  }

  private static String store(String body) {
    service.clock().pass(Duration.ofMillis(1)); // no two events have the same time
    Answer created = service.client().post(EVENTS, body, connector);
    assertThat(created.status()).as(created.body().toString()).isEqualTo(201);
    service.number();
    return created.body().path("id").asText();
  }

  private static Answer get(String query) {
    return service.client().get(EVENTS + query, consumer);
  }
}
