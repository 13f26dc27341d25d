package dev.connectorevents.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.dynamodb.Payloads;
import dev.connectorevents.emulator.lambda.Invocation;
import dev.connectorevents.emulator.lambda.LocalFunction;
import dev.connectorevents.local.RunningService.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every event of a batch exactly once, and every result true. For more batches: {@code
 * -Dbatches=200}.
 */
class BatchTest {

  private static final int BATCHES = Integer.getInteger("batches", 10);
  private static final int EVENTS = 100;
  private static final String TYPE = "{\"event_type\":\"shopify.orders/create\",";
  private static final ObjectMapper JSON = new ObjectMapper();

  @AutoClose private final RunningService service = RunningService.start();
  private final String token = service.token();
  private final Random random = new Random(18);

  /**
   * @param result what is to become of it: {@code new}, {@code replayed}, or as {@link
   *     WrongRequestsTest#told}
   */
  private record Sent(String event, String result) {}

  @Test
  void every_event_gets_what_it_would_get_alone() throws IOException {
    List<Sent> wrong = wrong().toList();
    Map<String, String> payloads = new HashMap<>(); // by key
    int withoutKey = 0;
    for (int batch = 0; batch < BATCHES * 8 / 10; batch++) {
      List<Sent> events = new ArrayList<>();
      for (int i = 0; i < EVENTS; i++) {
        String key = "key " + random.nextInt(EVENTS * (batch + 1));
        switch (random.nextInt(4)) {
          case 0 -> events.add(wrong.get(random.nextInt(wrong.size())));
          case 1 -> {
            withoutKey++;
            events.add(new Sent(TYPE + "\"payload\":{}}", "new"));
          }
          default -> {
            // A key of an earlier batch or of this one, with its payload or with another.
            String payload =
                random.nextBoolean() ? "{ \"of\" : \"" + key + "\" }" : "{\"n\":" + i + ".0}";
            String first = payloads.putIfAbsent(key, payload);
            String conflict = "422 idempotency_key_reused";
            String result = first == null ? "new" : first.equals(payload) ? "replayed" : conflict;
            events.add(new Sent(event(key, payload), result));
          }
        }
      }

      JsonNode results = results(send(events.stream().map(Sent::event).toList()));

      for (int i = 0; i < EVENTS; i++) {
        assertThat(outcome(results.get(i))).startsWith(events.get(i).result());
      }
    }
    assertThat(count()).isEqualTo(payloads.size() + withoutKey);
    for (Map.Entry<String, String> stored : payloads.entrySet().stream().limit(50).toList()) {
      String payload = stored.getValue();
      JsonNode result = results(send(List.of(event(stored.getKey(), payload)))).get(0);
      assertThat(new String(service.payload(result.at("/event/id").asText()), UTF_8))
          .startsWith(payload.substring(0, payload.length() - 1) + ",\"_meta\"");
    }
  }

  @Test
  void batches_at_once_under_the_same_keys_store_each_event_once() throws Exception {
    int times = Math.max(2, BATCHES / 10);
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int round = 0; round < times; round++) {
        List<String> events = keyed("round " + round);
        Callable<Answer> request = () -> send(events);
        List<JsonNode> all = new ArrayList<>();
        for (Future<Answer> answer :
            executor.invokeAll(IntStream.range(0, 10).mapToObj(i -> request).toList())) {
          results(answer.resultNow()).forEach(all::add);
        }

        assertThat(all).allSatisfy(it -> assertThat(it.path("status").asInt()).isEqualTo(201));
        Map<JsonNode, List<JsonNode>> byEvent =
            all.stream().collect(groupingBy(result -> result.get("event")));
        assertThat(byEvent).hasSize(EVENTS);
        assertThat(byEvent.values())
            .allSatisfy(results ->
                assertThat(results)
                    .filteredOn(it -> !it.get("replayed").booleanValue())
                    .hasSize(1));
      }
    }
    assertThat(count()).isEqualTo((long) times * EVENTS);
  }

  @Test
  void a_batch_that_is_cut_off_is_sent_again_and_each_event_is_stored_once() throws IOException {
    int times = Math.max(2, BATCHES / 10);
    int unknown = 0;
    try (AnswerDroppingProxy proxy =
        new AnswerDroppingProxy(service.service().dynamoDbEndpoint())) {
      LocalFunction function = service.functionBehind(proxy, "CreateBatchFunction");
      assertThat(invoke(function, List.of(event("warm", "{}"))).get(0).path("status").asInt())
          .isEqualTo(201);
      for (int round = 0; round < times; round++) {
        List<String> events = keyed("cut " + round);
        proxy.cutAfter(random.nextInt(1, 2 * EVENTS));
        JsonNode cut = invoke(function, events);
        long stored = count();
        proxy.mend();
        JsonNode again = invoke(function, events);

        assertThat(count()).isEqualTo(1 + (round + 1L) * EVENTS).isGreaterThanOrEqualTo(stored);
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < EVENTS; i++) {
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
        assertThat(ids).hasSize(EVENTS);
      }
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
  void an_event_that_is_too_large_to_be_stored_is_refused_alone() {
    byte[] noise = new byte[4_300_000];
    random.nextBytes(noise);
    String large = "{\"x\":\"" + Base64.getEncoder().encodeToString(noise) + "\"}";

    JsonNode results = results(send(List.of(event("large", large), event("small", "{}"))));

    assertThat(outcome(results.get(0))).startsWith("413 payload_too_large");
    assertThat(outcome(results.get(1))).isEqualTo("new");
  }

  @Test
  void without_the_table_every_event_is_unavailable() {
    String table = service.name("EventsTable");
    service.service().dynamoDb().deleteTable(delete -> delete.tableName(table));

    assertThat(outcome(results(send(List.of(event("a", "{}")))).get(0)))
        .startsWith("503 temporarily_unavailable");
  }

  /** A table with another key, as a changed template would make. */
  @Test
  void a_defect_is_a_result_too(@TempDir Path directory) throws IOException {
    String text = Files.readString(Mistake.TEMPLATE);
    int table = text.indexOf("\n  EventsTable:");
    Path template =
        Files.writeString(
            directory.resolve("template.yaml"),
            text.substring(0, table)
                + text.substring(table).replace("AttributeName: id,", "AttributeName: key,"));
    try (RunningService broken = RunningService.inProcess(template, Map.of())) {
      Answer answer = send(broken, broken.token(), List.of(event("a", "{}")));

      assertThat(outcome(results(answer).get(0))).startsWith("500 internal_error");
    }
  }

  /** The mistakes that are an event's own. Those that make the whole body malformed are not. */
  private static Stream<Sent> wrong() throws IOException {
    return WrongRequestsTest.wrong()
        .filter(it -> it.answer().startsWith("422") && it.headers().isEmpty())
        .filter(it -> it.route().endsWith("/webhook-events"))
        .map(it -> new Sent(new String(it.body(), UTF_8), it.answer()));
  }

  private static String event(String key, String payload) {
    return TYPE + "\"idempotency_key\":\"%s\",\"payload\":%s}".formatted(key, payload);
  }

  private static List<String> keyed(String name) {
    return IntStream.range(0, EVENTS)
        .mapToObj(i -> event(name + " " + i, "{\"n\":" + i + "}"))
        .toList();
  }

  private Answer send(List<String> events) {
    return send(service, token, events);
  }

  private static Answer send(RunningService to, String token, List<String> events) {
    return to.post(
        "/api/webhook-events/batch",
        batch(events),
        "Authorization",
        "Bearer " + token,
        "Content-Type", // without it, API Gateway would pass the body in base64
        "application/json");
  }

  private static String batch(List<String> events) {
    return "{\"events\":[" + String.join(",", events) + "]}";
  }

  private static JsonNode results(Answer answer) {
    assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
    return answer.body().get("results");
  }

  private JsonNode invoke(LocalFunction function, List<String> events) throws IOException {
    ObjectNode event =
        (ObjectNode) JSON.readTree(Path.of("../events/create-webhook-event-batch.json").toFile());
    ((ObjectNode) event.get("headers")).put("authorization", "Bearer " + token);
    event.put("body", batch(events));
    Invocation invocation =
        function.invoke(JSON.writeValueAsBytes(event), UUID.randomUUID().toString()).outcome();
    JsonNode answer = JSON.readTree(((Invocation.Answered) invocation).payload());
    assertThat(answer.get("statusCode").intValue()).as(answer.toString()).isEqualTo(200);
    return JSON.readTree(answer.get("body").textValue()).get("results");
  }

  private static String outcome(JsonNode result) {
    return result.path("status").asInt() == 201
        ? result.get("replayed").booleanValue() ? "replayed" : "new"
        : WrongRequestsTest.told(result.get("problem"));
  }

  /** Events, without the items that continue a payload. */
  private long count() {
    return service
        .service()
        .dynamoDb()
        .scanPaginator(scan ->
            scan.tableName(service.name("EventsTable"))
                .filterExpression("attribute_exists(event_type_key)")
                .projectionExpression("id"))
        .items()
        .stream()
        .count();
  }
}
