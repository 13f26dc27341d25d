package dev.connectorevents.functions.createevent;

import static dev.connectorevents.user.TestUsers.CONNECTOR;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.Promise;
import dev.connectorevents.SideBySide;
import dev.connectorevents.event.EventIds;
import dev.connectorevents.event.Events;
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
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CreateBatchFunctionTest {

  private final TestService service = new TestService();
  private final InMemoryEvents events = new InMemoryEvents();
  private final Handler route = route(events);
  private final RecordingContext context = new RecordingContext();

  @Test
  @Promise("200 has a result for each, in the order sent")
  void each_event_is_stored_and_has_its_result_in_the_order_sent() {
    List<JsonNode> results = results(send(event("a", 1), event("b", 2), event(null, 3)));

    assertThat(results).extracting(it -> it.get("status").intValue()).containsOnly(201);
    assertThat(results)
        .extracting(it -> it.at("/event/connector_installation_id").intValue())
        .containsExactly(1, 2, 3);
    assertThat(results).extracting(it -> it.get("replayed").booleanValue()).containsOnly(false);
    assertThat(events.stored()).hasSize(3);
  }

  @Test
  @Promise("It has no `payload` and no `response`")
  void an_event_in_a_result_has_what_was_stored_but_for_payload_and_response() {
    String sent =
        "{\"event_type\":\"x.y\",\"payload\":{},\"status\":\"ok\",\"response\":\"long\",\"attempts\":1}";

    JsonNode event = results(send(sent)).getFirst().get("event");

    String id = event.get("id").textValue();
    assertThat(event)
        .hasToString(
            "{\"id\":\""
                + id
                + "\",\"event_type\":\"x.y\",\"status\":\"ok\",\"attempts\":1,"
                + "\"created_at\":\"2026-11-20T12:00:00.123Z\"}");
    assertThat(events.stored().getFirst().delivery().response()).isEqualTo("long");
  }

  @Test
  @Promise("`replayed` says whether it was before, by an earlier request")
  void a_replayed_batch_is_all_replays_with_the_same_events() {
    ParsedAnswer first = send(event("a", 1), event("b", 2));
    ParsedAnswer second = send(event("a", 1), event("b", 2));

    assertThat(results(second))
        .extracting(it -> it.get("replayed").booleanValue())
        .containsOnly(true);
    assertThat(results(second))
        .extracting(it -> it.get("event"))
        .isEqualTo(results(first).stream().map(it -> it.get("event")).toList());
    assertThat(events.stored()).hasSize(2);
  }

  @Test
  @Promise("an event that was sent alone is replayed in a batch, and the other way round.")
  void a_key_is_the_same_in_a_batch_and_in_the_header() {
    send(event("k", 1));

    assertThat(events.stored().getFirst().id())
        .isEqualTo(EventIds.of(CONNECTOR.id(), new IdempotencyKey("k")));
  }

  @Test
  @Promise("Of several events with one key in a batch, the first is stored.")
  void of_events_under_one_key_the_first_is_stored_and_the_others_are_replays_or_conflicts() {
    List<JsonNode> results =
        results(send(event("k", 1), event("k", 1), event("k", 2), event("k", 1)));

    assertThat(results)
        .extracting(CreateBatchFunctionTest::outcome)
        .containsExactly("201 new", "201 replayed", "422 idempotency_key_reused", "201 replayed");
    assertThat(events.stored()).hasSize(1);
  }

  @Test
  void events_are_stored_side_by_side_unless_they_have_the_same_key() {
    UUID idOfKey = EventIds.of(CONNECTOR.id(), new IdempotencyKey("a"));
    CountDownLatch together = new CountDownLatch(4);
    List<@Nullable Long> underOneKey = new CopyOnWriteArrayList<>();
    Set<UUID> underWay = ConcurrentHashMap.newKeySet();
    Events recording =
        toStore -> {
          assertThat(underWay.add(toStore.id())).as("one at a time").isTrue();
          if (toStore.id().equals(idOfKey)) {
            underOneKey.add(toStore.delivery().connectorInstallationId());
          }
          together.countDown();
          await(together);
          underWay.remove(toStore.id());
          return new StoreOutcome.Stored(toStore.event());
        };

    ParsedAnswer answer =
        send(
            route(recording),
            event("a", 1),
            event("b", 2),
            event("a", 3),
            event(null, 4),
            event("a", 5),
            event(null, 6));

    assertThat(underOneKey).containsExactly(1L, 3L, 5L);
    assertThat(results(answer))
        .extracting(it -> it.at("/event/connector_installation_id").intValue())
        .containsExactly(1, 2, 3, 4, 5, 6);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(10, TimeUnit.SECONDS)).as("the others have begun").isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  @Promise({"that the event would get alone.", "and `index` is the event's place."})
  void an_invalid_event_stores_nothing_and_leaves_its_neighbours_alone() {
    JsonNode result = results(send(event("a", 1), "{\"payload\":[]}", event("c", 3))).get(1);

    assertThat(outcome(result)).isEqualTo("422 validation_failed");
    assertThat(result.at("/problem/index").intValue()).isEqualTo(1);
    assertThat(result.at("/problem/detail").textValue())
        .isEqualTo(
            "The event with index 1 has 2 faults. The member errors has the place and the rule of each.");
    assertThat(result.at("/problem/errors/0/pointer").textValue()).isEqualTo("/payload");
    assertThat(result.at("/problem/request_id").textValue()).isEqualTo("UEZ0hgQ0joEEJ15=");
    assertThat(events.stored()).hasSize(2);
  }

  @Test
  @Promise("In a batch only the result of this event is 403")
  void an_event_outside_the_users_scope_is_forbidden_alone_and_holds_no_key() throws IOException {
    service.users.put(TestUsers.withScope(Role.CONNECTOR, "x.*"));
    String outside = event("k", 1).replace("x.y", "z.y");
    int reads = service.users.reads();

    List<JsonNode> results =
        results(send(outside, event("k", 2), outside, "{}", event("k", 2), outside));

    assertThat(results)
        .extracting(CreateBatchFunctionTest::outcome)
        .containsExactly(
            "403 forbidden",
            "201 new",
            "403 forbidden",
            "422 validation_failed",
            "201 replayed",
            "403 forbidden");
    assertThat(results.get(2).at("/problem/index").intValue()).isEqualTo(2);
    assertThat(results.get(2).at("/problem/detail").textValue())
        .isEqualTo("The user's event types are x.*. The event type z.y is not among them.");
    assertThat(events.stored()).hasSize(1);
    assertThat(service.users.reads() - reads).as("at first, and after a refusal").isEqualTo(2);
    JsonNode line = new ObjectMapper().readTree(context.lines().getFirst());
    assertThat(line.get("client_errors").intValue()).isEqualTo(4);
  }

  @Test
  @Promise("One answer lists at most 100 faults of all its events.")
  void one_answer_lists_at_most_a_hundred_faults() {
    String wrong =
        "{\"payload\":{\"_meta\":{%s}}}"
            .formatted(
                String.join(
                    ",", IntStream.range(0, 60).mapToObj(i -> "\"k%d\":1".formatted(i)).toList()));

    List<JsonNode> problems =
        results(send(wrong, wrong, wrong)).stream().map(it -> it.get("problem")).toList();

    assertThat(problems).extracting(it -> it.path("errors").size()).containsExactly(61, 39, 0);
    assertThat(problems.get(1).get("detail").textValue())
        .isEqualTo(
            "The event with index 1 has 61 faults. The member errors has the place and the rule of the"
                + " first 39: an answer lists at most 100.");
    assertThat(problems.get(2).has("errors")).isFalse();
  }

  @Test
  @Promise("whatever becomes of the others.")
  void an_event_whose_write_fails_is_unavailable_and_its_neighbours_are_stored()
      throws IOException {
    ParsedAnswer answer =
        send(
            route(failingFor(2, new DependencyUnavailableException("PutItem on events failed"))),
            event("a", 1),
            event("b", 2),
            event("c", 3));

    assertThat(results(answer))
        .extracting(CreateBatchFunctionTest::outcome)
        .containsExactly("201 new", "503 temporarily_unavailable", "201 new");
    JsonNode line = new ObjectMapper().readTree(context.lines().getFirst());
    assertThat(line.get("server_errors").intValue()).isEqualTo(1);
    assertThat(line.has("client_errors")).isFalse();
    assertThat(line.get("error").textValue()).contains("PutItem on events failed");
  }

  @Test
  @Promise("may be stored. Send it again under the same key, alone or in another batch")
  void an_event_whose_answer_is_lost_is_replayed_in_another_batch() {
    Events losing =
        toStore -> {
          events.store(toStore);
          throw new DependencyUnavailableException("PutItem on events failed");
        };

    List<JsonNode> lost = results(send(route(losing), event("a", 1), event("b", 2)));
    List<JsonNode> again = results(send(event("b", 2), event("c", 3)));

    assertThat(lost)
        .extracting(CreateBatchFunctionTest::outcome)
        .containsOnly("503 temporarily_unavailable");
    assertThat(again)
        .extracting(CreateBatchFunctionTest::outcome)
        .containsExactly("201 replayed", "201 new");
    assertThat(events.stored()).hasSize(3);
  }

  @Test
  @Promise("the events after it under the same key get the same 5xx.")
  void no_event_takes_the_key_of_one_that_failed() {
    List<Integer> tried = new ArrayList<>();
    Events failing =
        toStore -> {
          tried.add(
              Math.toIntExact(
                  java.util.Objects.requireNonNull(toStore.delivery().connectorInstallationId())));
          throw new DependencyUnavailableException("down");
        };

    List<JsonNode> results = results(send(route(failing), event("k", 1), event("k", 2)));

    assertThat(results).extracting(it -> it.get("status").intValue()).containsExactly(503, 503);
    assertThat(tried).containsExactly(1);
  }

  @Test
  @Promise("whatever becomes of the others.")
  void a_defect_in_one_event_does_not_hide_the_results_of_the_others() {
    ParsedAnswer answer =
        send(
            route(failingFor(1, new IllegalStateException("secret"))),
            event("a", 1),
            event("b", 2));

    assertThat(results(answer))
        .extracting(CreateBatchFunctionTest::outcome)
        .containsExactly("500 internal_error", "201 new");
    assertThat(context.lines().getFirst())
        .doesNotContain("secret")
        .contains("IllegalStateException");
  }

  @Test
  @Promise("was stored before and erased since.")
  void an_event_that_was_erased_is_refused_alone() throws IOException {
    events.erase(EventIds.of(CONNECTOR.id(), new IdempotencyKey("b")));

    List<JsonNode> results =
        results(send(event("a", 1), event("b", 2), event("b", 2), event("c", 3)));

    assertThat(results)
        .extracting(CreateBatchFunctionTest::outcome)
        .containsExactly("201 new", "410 event_erased", "410 event_erased", "201 new");
    assertThat(results.get(2).at("/problem/index").intValue()).isEqualTo(2);
    assertThat(results.get(2).at("/problem/title").textValue()).isEqualTo("Gone");
    assertThat(context.lines().getFirst()).doesNotContain("reused_keys");
    JsonNode line = new ObjectMapper().readTree(context.lines().getFirst());
    assertThat(line.get("stored").intValue()).isEqualTo(2);
    assertThat(line.get("client_errors").intValue()).isEqualTo(2);
  }

  @Test
  @Promise("`event_id` names the first one")
  void an_event_under_a_reused_key_names_the_stored_event_unless_it_is_outside_the_scope() {
    String stored = results(send(event("k", 1))).getFirst().at("/event/id").textValue();
    results(send(event("l", 1).replace("x.y", "z.y")));
    service.users.put(TestUsers.withScope(Role.CONNECTOR, "x.*"));
    int reads = service.users.reads();

    List<JsonNode> results = results(send(event("k", 2), event("l", 2), event("m", 3)));

    assertThat(results)
        .extracting(CreateBatchFunctionTest::outcome)
        .containsExactly("422 idempotency_key_reused", "422 idempotency_key_reused", "201 new");
    assertThat(results)
        .extracting(it -> it.at("/problem/event_id").asText())
        .containsExactly(stored, "", "");
    assertThat(service.users.reads() - reads)
        .as("a read that fails after the others are stored must not hide that")
        .isEqualTo(1);
    assertThat(context.lines()).filteredOn(it -> it.contains("\"reused_keys\":2")).hasSize(1);
  }

  @Test
  void a_batch_writes_a_further_line_for_each_provider_and_for_each_code_of_refused_events()
      throws IOException {
    service.users.put(TestUsers.withScope(Role.CONNECTOR, "x.*,*"));
    String replayedOnly = event("r", 7).replace("x.y", "gitlab.push");
    send(event("k", 1), replayedOnly);
    events.erase(EventIds.of(CONNECTOR.id(), new IdempotencyKey("erased")));
    int before = context.lines().size();

    send(
        event("k", 1),
        event("l", 2),
        event("k", 3),
        event("m", 4).replace("x.y", "github.push"),
        event("n", 5).replace("x.y", "Refused"),
        event("erased", 6),
        replayedOnly,
        event(" ", 7),
        "{}");

    List<String> lines = context.lines().subList(before, context.lines().size());
    assertThat(lines.subList(1, lines.size()))
        .map(String::strip)
        .containsExactlyInAnyOrder(
            further("\"provider\":\"x\",\"counted_as\":\"x\",\"stored\":1,\"replayed\":1"),
            further("\"provider\":\"github\",\"counted_as\":\"other\",\"stored\":1,\"replayed\":0"),
            further("\"provider\":\"gitlab\",\"counted_as\":\"other\",\"stored\":0,\"replayed\":1"),
            further(
                "\"code\":\"validation_failed\",\"refused\":3,\"refused_events\":"
                    + "[{\"index\":4,\"pointers\":[\"/event_type\"],\"key\":\"n\"},"
                    + "{\"index\":7,\"pointers\":[\"/idempotency_key\"],\"event_type\":\"x.y\"},"
                    + "{\"index\":8,\"pointers\":[\"/event_type\",\"/payload\"]}]"),
            further(
                "\"code\":\"idempotency_key_reused\",\"refused\":1,\"refused_events\":"
                    + "[{\"event_type\":\"x.y\",\"key\":\"k\"}]"));
    JsonNode line = new ObjectMapper().readTree(lines.getFirst());
    assertThat(line.get("status").intValue()).isEqualTo(200);
    assertThat(line.get("events").intValue()).isEqualTo(9);
    assertThat(line.get("stored").intValue()).isEqualTo(2);
    assertThat(line.get("replayed").intValue()).isEqualTo(2);
    assertThat(line.get("client_errors").intValue()).isEqualTo(5);
    assertThat(line.get("reused_keys").intValue()).isEqualTo(1);
    assertThat(line.has("counted_as") || line.has("refused")).as("counted twice").isFalse();
    assertThat(line.has("server_errors")).isFalse();
  }

  private static String further(String members) {
    return "{\"request_id\":\"UEZ0hgQ0joEEJ15=\",\"user_id\":\"%s\",%s}"
        .formatted(CONNECTOR.id(), members);
  }

  @Test
  @Promise("The header on a batch gets 422.")
  void the_header_of_a_single_event_is_refused() {
    ParsedAnswer answer =
        request(event("a", 1)).withHeader("idempotency-key", "k").sendTo(route, context);

    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.body().get("detail").textValue()).contains("idempotency_key");
    assertThat(events.stored()).isEmpty();
    assertThat(context.lines()).singleElement().asString().contains("\"refused\":1");
  }

  @Test
  @Promise("A body that is not a list of 1 to 100 objects is refused as a whole")
  void a_body_that_is_no_batch_is_refused_as_a_whole_and_nothing_is_stored() {
    List<String> tooMany = Collections.nCopies(101, event(null, 1));

    assertThat(send().status()).isEqualTo(422);
    assertThat(send(tooMany.toArray(String[]::new)).body().at("/errors/0/pointer").textValue())
        .isEqualTo("/events");
    assertThat(send(event("a", 1), "7").body().at("/errors/0/pointer").textValue())
        .isEqualTo("/events/1");
    assertThat(send(event("a", 1), "{").code()).isEqualTo("malformed_json");
    assertThat(events.stored()).isEmpty();
    assertThat(context.lines()).hasSize(4).allMatch(line -> line.contains("\"refused\":1"));
  }

  private Events failingFor(int installation, RuntimeException failure) {
    return toStore -> {
      if (Long.valueOf(installation).equals(toStore.delivery().connectorInstallationId())) {
        throw failure;
      }
      return events.store(toStore);
    };
  }

  private static String event(@Nullable String key, int installation) {
    return "{\"event_type\":\"x.y\",\"payload\":{},\"connector_installation_id\":%d,\"idempotency_key\":%s}"
        .formatted(installation, key == null ? null : "\"" + key + "\"");
  }

  private Handler route(Events store) {
    NewEvents newEvents = new NewEvents(new EventIds(service.clock, new Random(1)), service.clock);
    SideBySide sideBySide = new SideBySide(Thread::startVirtualThread, 50);
    return CreateBatchFunction.handler(
        service.guard, new CreateBatch(newEvents, store, sideBySide));
  }

  private ParsedAnswer send(String... events) {
    return send(route, events);
  }

  private ParsedAnswer send(Handler to, String... events) {
    return request(events).sendTo(to, context);
  }

  private GatewayEvent request(String... events) {
    return GatewayEvent.read("create-webhook-event.github")
        .withoutHeader("idempotency-key")
        .withToken(service.token())
        .withBody("{\"events\":[" + String.join(",", events) + "]}");
  }

  private static List<JsonNode> results(ParsedAnswer answer) {
    assertThat(answer.status()).isEqualTo(200);
    List<JsonNode> results = new ArrayList<>();
    answer.body().get("results").forEach(results::add);
    return results;
  }

  private static String outcome(JsonNode result) {
    int status = result.get("status").intValue();
    return status == 201
        ? "201 " + (result.get("replayed").booleanValue() ? "replayed" : "new")
        : status + " " + result.at("/problem/code").textValue();
  }
}
