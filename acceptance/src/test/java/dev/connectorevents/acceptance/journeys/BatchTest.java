package dev.connectorevents.acceptance.journeys;

import static dev.connectorevents.acceptance.service.Batches.TYPE;
import static dev.connectorevents.acceptance.service.Batches.batch;
import static dev.connectorevents.acceptance.service.Batches.event;
import static dev.connectorevents.acceptance.service.Batches.outcome;
import static dev.connectorevents.acceptance.service.Batches.results;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.AwsFault;
import dev.connectorevents.acceptance.service.Batches;
import dev.connectorevents.acceptance.service.Nightly;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.acceptance.wrongrequests.WrongEvents;
import dev.connectorevents.dynamodb.events.Payloads;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The service stores every event of a batch exactly once, and every result matches its event. */
class BatchTest {

  private static final int BATCHES = Nightly.choose(2, 160);
  private static final int ROUNDS = Nightly.choose(1, 20);
  private static final int READ_BACK = Nightly.choose(20, 50);

  /** The most events that a batch may have. */
  private static final int EVENTS = 100;

  /**
   * How many events a batch has if a test sends it more than once. They need several calls to
   * DynamoDB, since a call writes at most 25.
   */
  private static final int KEYED = Nightly.choose(50, EVENTS);

  @AutoClose private static final World service = World.start();
  private static final String token = service.client().token();
  private final long before = service.countEvents();
  private final Random random = new Random(18);

  /**
   * An event of a batch.
   *
   * @param result the expected result: {@code new}, {@code replayed}, or a problem in the format of
   *     {@link Batches#inOneLine}
   */
  private record Sent(String event, String result) {}

  @Test
  void every_event_gets_what_it_would_get_alone() throws IOException {
    List<Sent> wrong = wrong().toList();
    Map<String, String> payloads = new HashMap<>(); // by key
    int withoutKey = 0;
    for (int batch = 0; batch < BATCHES; batch++) {
      List<Sent> events = new ArrayList<>();
      for (int i = 0; i < EVENTS; i++) {
        // Some keys are those of an earlier event, with the same payload or with another.
        String key = "key " + random.nextInt(EVENTS * (batch + 1));
        switch (random.nextInt(4)) {
          case 0 -> events.add(wrong.get(random.nextInt(wrong.size())));
          case 1 -> {
            withoutKey++;
            events.add(new Sent(TYPE + "\"payload\":{}}", "new"));
          }
          default -> {
            String payload =
                random.nextBoolean() ? "{ \"of\" : \"" + key + "\" }" : "{\"n\":" + i + ".0}";
            String result =
                Optional.ofNullable(payloads.putIfAbsent(key, payload))
                    .map(first -> first.equals(payload) ? "replayed" : "422 idempotency_key_reused")
                    .orElse("new");
            events.add(new Sent(event(key, payload), result));
          }
        }
      }

      JsonNode results = results(send(events.stream().map(Sent::event).toList()));

      for (int i = 0; i < EVENTS; i++) {
        assertThat(outcome(results.get(i))).startsWith(events.get(i).result());
      }
    }
    assertThat(service.countEvents() - before).isEqualTo(payloads.size() + withoutKey);
    for (Map.Entry<String, String> stored :
        payloads.entrySet().stream().limit(READ_BACK).toList()) {
      String payload = stored.getValue();
      JsonNode result = results(send(List.of(event(stored.getKey(), payload)))).get(0);
      assertThat(new String(service.payload(result.at("/event/id").asText()), UTF_8))
          .startsWith(payload.substring(0, payload.length() - 1) + ",\"_meta\"");
    }
  }

  @Test
  void batches_at_once_under_the_same_keys_store_each_event_once() throws Exception {
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int round = 0; round < ROUNDS; round++) {
        List<String> events = keyed("round " + round);
        Callable<Answer> request = () -> send(events);
        List<JsonNode> answers = new ArrayList<>();
        for (Future<Answer> answer :
            executor.invokeAll(IntStream.range(0, 5).mapToObj(i -> request).toList())) {
          answers.add(results(answer.resultNow()));
        }
        JsonNode last = sentUntilStored(events);

        for (int i = 0; i < KEYED; i++) {
          int index = i;
          List<JsonNode> ofEvent = answers.stream().map(results -> results.get(index)).toList();
          List<Integer> statuses = ofEvent.stream().map(it -> it.path("status").asInt()).toList();
          long asNew = ofEvent.stream().filter(it -> outcome(it).equals("new")).count();
          // On a slow machine a write may time out, although it has stored the event.
          assertThat(statuses).isSubsetOf(201, 503);
          assertThat(asNew).isBetween(statuses.contains(503) ? 0L : 1L, 1L);
          assertThat(ofEvent)
              .filteredOn(it -> it.path("status").asInt() == 201)
              .allSatisfy(
                  it -> assertThat(it.get("event")).isEqualTo(last.get(index).get("event")));
        }
      }
    }
    assertThat(service.countEvents() - before).isEqualTo((long) ROUNDS * KEYED);
  }

  /** Sends the events again while one of them gets 503, as a connector does. */
  private JsonNode sentUntilStored(List<String> events) {
    JsonNode results = results(send(events));
    for (int i = 0; i < 20 && statuses(results).contains(503); i++) {
      results = results(send(events));
    }
    assertThat(statuses(results)).containsOnly(201);
    return results;
  }

  private static List<Integer> statuses(JsonNode results) {
    return results.valueStream().map(result -> result.path("status").asInt()).toList();
  }

  @Test
  void a_batch_that_is_cut_off_is_sent_again_and_each_event_is_stored_once() throws IOException {
    int unknown = 0;
    AtomicInteger callsLeft = new AtomicInteger(Integer.MAX_VALUE);
    service.fail(call ->
        !call.name().endsWith("EventsTable") || callsLeft.getAndDecrement() > 0
            ? AwsFault.ofFirstWrite(call)
            : AwsFault.LOST_REQUEST);
    try {
      assertThat(results(send(List.of(event("warm", "{}")))).get(0).path("status").asInt())
          .isEqualTo(201);
      for (int round = 0; round < ROUNDS; round++) {
        List<String> events = keyed("cut " + round);
        callsLeft.set(random.nextInt(1, 2 * KEYED));
        JsonNode cut = results(send(events));
        long stored = service.countEvents();
        callsLeft.set(Integer.MAX_VALUE);
        JsonNode again = results(send(events));

        assertThat(service.countEvents() - before).isEqualTo(1 + (round + 1L) * KEYED);
        assertThat(service.countEvents()).isGreaterThanOrEqualTo(stored);
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < KEYED; i++) {
          assertThat(outcome(again.get(i))).isIn("new", "replayed");
          ids.add(again.get(i).at("/event/id").asText());
          if (cut.get(i).path("status").asInt() == 201) {
            assertThat(again.get(i).get("event")).isEqualTo(cut.get(i).get("event"));
            assertThat(outcome(again.get(i))).isEqualTo("replayed");
          } else {
            assertThat(outcome(cut.get(i))).startsWith("503 temporarily_unavailable");
            unknown++;
          }
        }
        assertThat(ids).hasSize(KEYED);
      }
    } finally {
      service.fail(call -> AwsFault.NONE);
    }
    assertThat(unknown).isPositive();
  }

  @Test
  void a_batch_may_hold_one_event_of_five_megabytes_or_a_hundred_of_fifty_kilobytes()
      throws IOException {
    String large = "{\"a\":\"%s\"}".formatted("compressible ".repeat(400_000));
    List<String> many = Stream.generate(() -> Payloads.random(50_000)).limit(EVENTS).toList();

    JsonNode one = results(send(List.of(TYPE + "\"payload\":" + large + "}")));
    JsonNode hundred =
        results(send(many.stream().map(it -> TYPE + "\"payload\":" + it + "}").toList()));

    assertThat(service.payload(one.at("/0/event/id").asText()))
        .startsWith(large.substring(0, large.length() - 1).getBytes(UTF_8));
    for (int i = 0; i < EVENTS; i++) {
      String sent = many.get(i);
      assertThat(service.payload(hundred.get(i).at("/event/id").asText()))
          .startsWith(sent.substring(0, sent.length() - 1).getBytes(UTF_8));
    }
  }

  @Test
  void a_result_has_every_field_of_its_event_but_response_and_payload() {
    String complete =
        TYPE
            + "\"payload\":{\"_meta\":{\"shop\":\"s\"}},\"connector_installation_id\":42,\"status\":\"ok\","
            + "\"response\":\"{}\",\"attempts\":1,\"sent_at\":\"2026-11-20T11:59:59Z\","
            + "\"next_retry_at\":\"2026-11-20T13:00:00+01:00\",\"idempotency_key\":\"complete\"}";

    JsonNode event = results(send(List.of(complete))).at("/0/event");

    assertThat(event.properties())
        .extracting(Map.Entry::getKey)
        .containsExactly(
            "id",
            "event_type",
            "connector_installation_id",
            "status",
            "attempts",
            "sent_at",
            "next_retry_at",
            "created_at");
  }

  @Test
  void another_media_type_and_a_body_that_is_no_batch_are_refused_as_a_whole() {
    String body = batch(List.of(event("refused", "{}")));
    String[] bearer = {"Authorization", "Bearer " + token};

    assertThat(post(body, bearer, "Content-Type", "text/plain").code())
        .isEqualTo("unsupported_media_type");
    assertThat(post("{", bearer).code()).isEqualTo("malformed_json");
    for (int size : new int[] {0, 101}) {
      String wrong = batch(Collections.nCopies(size, event("refused", "{}")));
      assertThat(post(wrong, bearer).body().at("/errors/0/pointer").asText()).isEqualTo("/events");
    }
    assertThat(service.countEvents()).isEqualTo(before);
  }

  private static Answer post(String body, String[] bearer, String... headers) {
    String[] all = Stream.concat(Stream.of(bearer), Stream.of(headers)).toArray(String[]::new);
    return service.client().post("/api/webhook-events/batch", body, all);
  }

  @Test
  void an_event_that_is_too_large_to_be_stored_is_refused_alone() {
    byte[] noise = new byte[4_300_000];
    random.nextBytes(noise);
    String large = "{\"x\":\"" + Base64.getEncoder().encodeToString(noise) + "\"}";

    JsonNode results = results(send(List.of(event("large", large), event("small", "{}"))));

    assertThat(outcome(results.get(0))).startsWith("413 payload_too_large");
    assertThat(outcome(results.get(1))).isEqualTo("new");
  }

  /** Mistakes that fail only their own event, not the whole batch. */
  private static Stream<Sent> wrong() {
    return WrongEvents.all()
        .filter(it -> it.answer().startsWith("422") && it.headers().isEmpty())
        .filter(it -> it.route().endsWith("/webhook-events"))
        .map(it -> new Sent(new String(it.body(), UTF_8), it.answer()));
  }

  private static List<String> keyed(String name) {
    return IntStream.range(0, KEYED)
        .mapToObj(i -> event(name + " " + i, "{\"n\":" + i + "}"))
        .toList();
  }

  private Answer send(List<String> events) {
    return Batches.send(service, token, events);
  }
}
