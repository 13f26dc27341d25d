package dev.connectorevents.acceptance.journeys;

import static dev.connectorevents.acceptance.service.Connector.EVENTS;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.emulator.template.FunctionDefinition;
import dev.connectorevents.event.Events;
import java.net.URLEncoder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ListEventsTest {

  private static final Pattern NEXT = Pattern.compile("<([^>]+)>; rel=\"next\"");

  @AutoClose private static final World service = World.start();
  private static String connector = "";
  private static String consumer = "";

  @BeforeAll
  static void logIn() {
    connector = service.client().token();
    consumer = service.operator().consumerToken();
  }

  @Test
  void an_event_is_listed_without_its_payload_and_the_providers_response() {
    String id =
        store(
            "{\"event_type\":\"list.members\",\"connector_installation_id\":42,"
                + "\"status\":\"received\",\"response\":\"{}\",\"attempts\":1,"
                + "\"sent_at\":\"2026-11-20T11:59:59.250Z\","
                + "\"next_retry_at\":\"2026-11-20T12:59:59Z\",\"payload\":{}}");

    Answer answer = get("?event_type=list.members");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body().path("events")).hasSize(1);
    JsonNode event = answer.body().at("/events/0");
    assertThat(event.path("id").asText()).isEqualTo(id);
    assertThat(event.path("user_id").asText()).isNotEmpty();
    assertThat(event.path("attempts").asInt()).isEqualTo(1);
    assertThat(event.has("response") || event.has("payload")).isFalse();
    assertThat(Instant.parse(answer.body().path("complete_until").asText()))
        .isBefore(Instant.now().minusSeconds(26));
  }

  @ParameterizedTest
  @ValueSource(strings = {"event_type=list.pages", "brand_id=" + BRAND})
  void links_lead_through_all_events_newest_first(String filter) {
    List<String> stored = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      stored.add(
          store(
              "{\"event_type\":\"list.pages\",\"payload\":{\"_meta\":{\"brand_id\":\"a b&ü\"}}}"));
    }
    List<String> listed = new ArrayList<>();
    String path = "?limit=3&" + filter;
    String promise = "";
    while (!path.isEmpty()) {
      Answer page = get(path);
      assertThat(page.status()).as(page.body().toString()).isEqualTo(200);
      page.body().path("events").forEach(event -> listed.add(event.path("id").asText()));
      String completeUntil = page.body().path("complete_until").asText();
      assertThat(completeUntil).isEqualTo(promise.isEmpty() ? completeUntil : promise);
      promise = completeUntil;
      Matcher next = NEXT.matcher(page.header("link"));
      path = next.find() ? next.group(1).substring(EVENTS.length()) : "";
      assertThat(path.isEmpty()).isEqualTo(!page.body().has("next"));
    }
    Collections.reverse(stored);

    assertThat(listed).doesNotHaveDuplicates().containsAll(stored);
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
  void a_type_is_listed_by_its_encoded_text_and_so_is_its_next_page(String type) {
    String body = "{\"event_type\":\"" + type + "\",\"payload\":{}}";
    List<String> stored = List.of(store(body), store(body));

    Answer first = get("?limit=1&event_type=" + URLEncoder.encode(type, UTF_8));
    Matcher next = NEXT.matcher(first.header("link"));
    assertThat(next.find()).isTrue();
    Answer second = get(next.group(1).substring(EVENTS.length()));

    assertThat(second.body().has("next")).isFalse();
    assertThat(List.of(first.body().at("/events/0"), second.body().at("/events/0")))
        .allSatisfy(event -> assertThat(event.path("event_type").asText()).isEqualTo(type))
        .extracting(event -> event.path("id").asText())
        .containsExactlyInAnyOrderElementsOf(stored);
  }

  private static final String BRAND = "a%20b%26%C3%BC";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "?event_type=a.b&brand_id=c",
        "?event_type=",
        "?event_type=a.b&event_type=a.c",
        "?brand_id=",
        "?event_type=a.b&limit=0",
        "?event_type=a.b&limit=101",
        "?event_type=a.b&from=yesterday",
        "?event_type=a.b&cursor=AAAA",
        "?brand_id=%00&cursor=%F0%9F%98%80",
      })
  void a_query_that_breaks_a_rule_is_refused(String query) {
    Answer answer = get(query);

    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.code()).isEqualTo("validation_failed");
  }

  @Test
  void a_connector_lists_nothing() {
    Answer answer = service.client().get(EVENTS + "?event_type=a.b", connector);

    assertThat(answer.status()).isEqualTo(403);
    assertThat(service.client().get(EVENTS + "?limit=x", connector).status()).isEqualTo(403);
  }

  @Test
  void the_longest_brand_is_listed() {
    String brand = "b".repeat(2_046);
    String payload = "{\"_meta\":{\"brand_id\":\"" + brand + "\"}}";
    String id = store("{\"event_type\":\"list.brand\",\"payload\":" + payload + "}");

    assertThat(get("?brand_id=" + brand).body().at("/events/0/id").asText()).isEqualTo(id);
  }

  @Test
  void an_unknown_brand_has_an_empty_list() {
    Answer answer =
        get(
            "?brand_id="
                + URLEncoder.encode("nobody's", UTF_8)
                + "&from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z");

    assertThat(answer.body().path("events").isEmpty()).isTrue();
    assertThat(answer.body().has("next")).isFalse();
  }

  @Test
  void the_promise_reckons_with_the_timeouts_of_the_functions_that_write() {
    assertThat(
            service.template().functions().stream()
                .filter(function -> function.id().matches("Create(Event|Batch)Function"))
                .map(FunctionDefinition::timeout))
        .containsExactly(Events.LONGEST_WRITE, Events.LONGEST_WRITE);
  }

  private static String store(String body) {
    Answer created = service.client().post(EVENTS, body, "Authorization", "Bearer " + connector);
    assertThat(created.status()).as(created.body().toString()).isEqualTo(201);
    return created.body().path("id").asText();
  }

  private static Answer get(String query) {
    return service.client().get(EVENTS + query, consumer);
  }
}
