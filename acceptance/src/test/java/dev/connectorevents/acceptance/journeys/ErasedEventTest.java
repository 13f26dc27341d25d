package dev.connectorevents.acceptance.journeys;

import static dev.connectorevents.acceptance.service.Connector.EVENTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.Batches;
import dev.connectorevents.acceptance.service.LateIndexes;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.dynamodb.events.Payloads;
import dev.connectorevents.dynamodb.events.Tombstones;
import dev.connectorevents.emulator.Endpoint;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** An erased event does not come back: a tombstone occupies its id. */
class ErasedEventTest {

  @AutoClose private static final World service = World.start();
  private static final Tombstones tombstones =
      new Tombstones(service.dynamoDb(), service.name("EventsTable"));
  private static String connector = "";
  private static String consumer = "";

  private final String key = UUID.randomUUID().toString();

  @BeforeAll
  static void logIn() {
    connector = service.client().token();
    consumer = service.operator().consumerToken();
  }

  @AfterEach
  void letIndexesGoOn() {
    LateIndexes.areStopped = false;
  }

  @ParameterizedTest
  @CsvSource({"100, 100", "100, 1000000", "1000000, 100", "1000000, 1000000"})
  void no_event_is_stored_under_its_key_again(int characters, int nextCharacters) {
    assumeFalse(Endpoint.isMoto(), Endpoint.MOTO_ITEM_SIZE);
    UUID id = storedId(event(Payloads.random(characters)), "Idempotency-Key", key);
    tombstones.put(id);
    Map<String, AttributeValue> tombstone = tombstones.item(id);

    String next = event(Payloads.random(nextCharacters));
    for (Answer answer :
        List.of(
            post(EVENTS, next, "Idempotency-Key", key),
            post(EVENTS, next.replaceFirst("\\{", "{\"idempotency_key\":\"" + key + "\",")))) {
      assertThat(answer.status()).as(answer.text()).isEqualTo(410);
      assertThat(answer.code()).isEqualTo("event_erased");
    }
    assertThat(tombstones.item(id)).isEqualTo(tombstone);
  }

  @Test
  void in_a_batch_it_is_refused_alone() {
    List<String> events =
        Stream.of("a ", "b ", "c ").map(name -> Batches.event(name + key, "{}")).toList();
    tombstones.put(storedId(events.get(1)));

    JsonNode results = Batches.results(Batches.send(service, connector, events));

    assertThat(results)
        .extracting(Batches::outcome)
        .satisfiesExactly(
            first -> assertThat(first).isEqualTo("new"),
            erased -> assertThat(erased).startsWith("410 event_erased "),
            last -> assertThat(last).isEqualTo("new"));
    assertThat(results.at("/1/problem/index").intValue()).isEqualTo(1);
  }

  @Test
  void its_key_is_not_missing() {
    tombstones.put(storedId(event("{}"), "Idempotency-Key", key));

    Answer answer =
        post(EVENTS + "/missing", "{\"idempotency_keys\":[\"none " + key + "\",\"" + key + "\"]}");

    assertThat(answer.body()).hasToString("{\"missing\":[\"none " + key + "\"]}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/payload"})
  void it_is_gone_for_consumers_and_forbidden_for_connectors(String route) {
    UUID id = storedId(event("{}"), "Idempotency-Key", key);
    String path = EVENTS + "/" + id + route;
    String tag = get(path).header("etag");
    tombstones.put(id);

    for (Answer answer :
        List.of(get(path), get(path, "If-None-Match", tag), get(path, "Accept-Encoding", "gzip"))) {
      assertThat(answer.status()).as(answer.text()).isEqualTo(410);
      assertThat(answer.code()).isEqualTo("event_erased");
      assertThat(answer.body().path("detail").asText())
          .contains(Instant.parse(Tombstones.ERASED_AT).toString());
    }
    assertThat(service.client().get(path, connector).status()).isEqualTo(403);
  }

  @ParameterizedTest
  @CsvSource({"3600, 410", "-1, 404"})
  void an_event_without_a_key_is_gone_until_its_tombstone_expires(int seconds, int status) {
    UUID id = storedId(event("{}"));
    tombstones.put(id, Instant.now().plusSeconds(seconds));

    assertThat(get(EVENTS + "/" + id).status()).isEqualTo(status);
    assertThat(get(EVENTS + "/" + id + "/payload").status()).isEqualTo(status);
  }

  @ParameterizedTest
  @CsvSource({"event_type, false", "event_type, true", "brand_id, false", "brand_id, true"})
  void lists_leave_it_out_even_if_the_index_still_has_it(String filter, boolean isIndexLate) {
    String name = "erased." + key;
    String event =
        "{\"event_type\":\"%s\",\"payload\":{\"_meta\":{\"brand_id\":\"%s\"}}}"
            .formatted(name, name);
    for (int i = 0; i < 3; i++) {
      storedId(event);
    }
    String query = EVENTS + "?" + filter + "=" + name;
    LateIndexes.areStopped = isIndexLate;
    List<String> ids = listed(get(query + "&limit=3"));
    tombstones.put(UUID.fromString(ids.get(1)));

    Answer first = get(query + "&limit=2");
    if (isIndexLate) {
      assertThat(listed(first)).containsExactly(ids.getFirst());
      assertThat(listed(get(query + "&limit=2&cursor=" + first.body().path("next").asText())))
          .containsExactly(ids.getLast());
    } else {
      assertThat(listed(first)).containsExactly(ids.getFirst(), ids.getLast());
    }
  }

  private static List<String> listed(Answer answer) {
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    return answer
        .body()
        .path("events")
        .valueStream()
        .map(event -> event.path("id").asText())
        .toList();
  }

  private static String event(String payload) {
    return "{\"event_type\":\"a.b\",\"payload\":" + payload + "}";
  }

  private static UUID storedId(String event, String... headers) {
    Answer created = post(EVENTS, event, headers);
    assertThat(created.status()).as(created.text()).isEqualTo(201);
    return UUID.fromString(created.body().path("id").asText());
  }

  private static Answer post(String path, String body, String... headers) {
    return service.client().post(path, body, with(connector, headers));
  }

  private static Answer get(String path, String... headers) {
    return service.client().send("GET", path, BodyPublishers.noBody(), with(consumer, headers));
  }

  private static String[] with(String token, String... headers) {
    return Stream.concat(Stream.of("Authorization", "Bearer " + token), Stream.of(headers))
        .toArray(String[]::new);
  }
}
