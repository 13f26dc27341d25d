package dev.connectorevents.acceptance.journeys;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.service.AwsFault;
import dev.connectorevents.acceptance.service.Batches;
import dev.connectorevents.acceptance.service.Nightly;
import dev.connectorevents.acceptance.service.Proxy;
import dev.connectorevents.acceptance.service.RestoredTable;
import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.acceptance.service.TableScan;
import dev.connectorevents.acceptance.service.Texts;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.acceptance.service.WorldClock;
import dev.connectorevents.dynamodb.events.ReadBack;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** An operator takes a wrong erasure back, from a copy of the table. */
class TakeBackTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String EVENTS = "EventsTable";

  /** It dies at each call to AWS in turn; by day, only at every fourth. */
  private static final int STEP = Nightly.choose(4, 1);

  /** The events get their times from a clock that is ahead, by less than the service allows. */
  private static final Duration AHEAD = Duration.ofSeconds(30);

  /** What the wrong erasure selects. */
  private static final String WRONG = "{\"where\":[{\"pointer\":\"/wrong\",\"equals\":true}]}";

  /** What a later erasure selects, for a person. */
  private static final String PERSON =
      "{\"where\":[{\"pointer\":\"/email\",\"equals\":\"zoe@example.com\"}]}";

  /** Some of the events, by their numbers. */
  private enum Kind {
    LARGE(0, 2, "a.b", "\"text\":\"" + Texts.noise(420_000) + "\""),
    EXPIRED(2, 22, "short.x", "\"a\":1"),
    OF_ERASED_BRAND(22, 42, "a.b", "\"_meta\":{\"brand_id\":\"erased\"}"),
    OF_PERSON(42, 52, "a.b", "\"email\":\"zoe@example.com\""),
    PLAIN(52, 199, "a.b", "\"a\":1.0"),
    AFTER_BACKUP(199, 200, "a.b", "\"a\":1");

    private final int from;
    private final int to;
    private final String type;
    private final String member;

    Kind(int from, int to, String type, String member) {
      this.from = from;
      this.to = to;
      this.type = type;
      this.member = member;
    }

    Stream<Integer> numbers() {
      return IntStream.range(from, to).boxed();
    }

    /** Each second event has a key. */
    private String event(int number) {
      String key = number % 2 == 0 ? ",\"idempotency_key\":\"key " + number + "\"" : "";
      return "{\"event_type\":\"%s\"%s,\"payload\":{\"n\":%d,\"wrong\":true,%s}}"
          .formatted(type, key, number, member);
    }
  }

  @AutoClose
  private final World world =
      World.start(
          new Setup()
              .inProcess()
              .clock(WorldClock.standing())
              .parameters(Map.of("RetentionRules", "short.*=1")));

  private final String copy = RestoredTable.create(world, EVENTS, "id");
  private final TableScan tables = new TableScan(world);

  /** The ids of the events before the erasure, by their numbers. */
  private final Map<Integer, String> ids = new HashMap<>();

  private Map<String, Map<String, AttributeValue>> before = Map.of();

  @Test
  @Promise({
    "Each event that the erasure has erased is stored anew, once",
    "what another erasure names in the ledger, under the old id or the new one",
    "what a later erasure of the whole brand would have erased.",
    "one that has a tombstone of this erasure is refused."
  })
  void a_wrong_erasure_is_taken_back_killed_at_each_call() throws JsonProcessingException {
    String other = storeAndCopy();
    String wrong = erase(WRONG);
    erase("{\"brand_id\":\"erased\",\"scan\":true}");
    String person = erase(PERSON);
    world.clock().pass(Duration.ofDays(2));
    requireOlderCopy(takeBack(wrong));

    ObjectNode request = takeBack(wrong).put("reason", "a wrong condition");
    List<JsonNode> answers = toTheEnd(request, this::killedAtEachCall);

    requireFigures(answers, 159, 20);
    requireListed(person, answers);
    requireProof(wrong, answers);
    requireEachOnce(other);
    requireErased(wrong);
    requirePersonStaysErased(request);
  }

  /** Returns the id of an event that is of no erasure. */
  private String storeAndCopy() {
    world.clock().jump(AHEAD);
    Stream.of(Kind.values()).forEach(this::store);
    world.clock().jump(AHEAD.negated());
    String other = world.store();
    before = tables.items(EVENTS);
    before.values().forEach(item -> put(copy, item));
    delete(copy, id(199));
    return other;
  }

  private void requireOlderCopy(ObjectNode request) {
    String first =
        Kind.PLAIN.numbers().map(this::id).sorted().findFirst().orElseThrow(); // in the first call
    put(copy, requireNonNull(tables.items(EVENTS).get(first))); // as after the erasure
    request.set("next", once(request).get("next"));

    JsonNode answer = once(request);

    assertThat(answer.at("/errors/0/pointer").textValue()).isEqualTo("/restore_from");
    assertThat(back()).isEmpty();
    put(copy, requireNonNull(before.get(first)));
  }

  private void requireFigures(List<JsonNode> answers, int takenBack, int stayErased) {
    assertThat(sum(answers, "taken_back")).isEqualTo(takenBack);
    assertThat(sum(answers, "stay_erased")).isEqualTo(stayErased);
    assertThat(sum(answers, "expired")).isEqualTo(Kind.EXPIRED.numbers().count());
    assertThat(answers.stream().flatMap(answer -> answer.path("not_restored").valueStream()))
        .extracting(event -> event.path("id").textValue())
        .containsExactly(id(199));
  }

  private static int sum(List<JsonNode> answers, String figure) {
    return answers.stream().mapToInt(answer -> answer.get(figure).intValue()).sum();
  }

  private static void requireListed(String toRepeat, List<JsonNode> answers) {
    assertThat(List.of(answers.getFirst(), answers.getLast()))
        .allSatisfy(answer ->
            assertThat(answer.get("erase_again").findValuesAsText("erasure_id"))
                .containsExactly(toRepeat));
  }

  private void requireProof(String wrong, List<JsonNode> answers) throws JsonProcessingException {
    ObjectNode proof = (ObjectNode) shown(wrong);
    assertThat(answers.getLast().get("proof")).isEqualTo(proof);
    ObjectNode takenBack = (ObjectNode) proof.remove("taken_back");
    assertThat(proof).isEqualTo(answers.getFirst().get("proof"));
    assertThat(takenBack.remove("at").textValue()).startsWith("2100-01-03T");
    assertThat(takenBack)
        .isEqualTo(JSON.readTree("{\"count\":159,\"reason\":\"a wrong condition\"}"));
  }

  /** The events are there as they were, and the feed shows each once. */
  private void requireEachOnce(String other) {
    Map<Integer, String> back = back();
    assertThat(back.keySet())
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(Kind.LARGE, Kind.OF_PERSON, Kind.PLAIN).flatMap(Kind::numbers).toList());
    Map<String, Map<String, AttributeValue>> items = tables.items(EVENTS);
    assertThat(items.keySet())
        .filteredOn(id -> id.contains("#") && !id.contains("mark"))
        .hasSize(2);
    back.forEach((number, id) -> {
      Map<String, AttributeValue> event = new HashMap<>(requireNonNull(items.get(id)));
      Map<String, AttributeValue> old = new HashMap<>(requireNonNull(before.get(id(number))));
      assertThat(UUID.fromString(id).version()).isNotIn(7, 8);
      assertThat(event.remove("renumbered_at")).isNotNull();
      old.remove("request");
      old.put("id", requireNonNull(event.get("id")));
      assertThat(event).isEqualTo(old);
    });
    Kind.LARGE
        .numbers()
        .forEach(number ->
            assertThat(world.payload(requireNonNull(back.get(number))))
                .isEqualTo(ReadBack.read(world.dynamoDb(), copy, id(number))));
    world.number();
    List<String> shown = new ArrayList<>(back.values());
    shown.add(other);
    assertThat(feed()).containsExactlyInAnyOrderElementsOf(shown);
  }

  private List<String> feed() {
    String consumer = world.operator().consumerToken();
    JsonNode page = world.client().get("/api/webhook-events?order=asc&limit=1000", consumer).body();
    return page.get("events").findValuesAsText("id");
  }

  private void requireErased(String wrong) {
    assertThat(tables.tombstones(wrong)).hasSize(200).containsAll(ids.values());
    JsonNode results = send(Kind.PLAIN.numbers().filter(n -> n % 2 == 0).limit(100), Kind.PLAIN);
    assertThat(results.findValuesAsText("code")).hasSize(74).containsOnly("event_erased");
  }

  /** The person stays erased, also when the tombstones are gone after 35 days. */
  private void requirePersonStaysErased(ObjectNode request) {
    Map<Integer, String> back = back();
    erase(PERSON);
    Kind.OF_PERSON.numbers().map(back::get).forEach(id -> delete(world.name(EVENTS), id));
    eraseUnnamed(id(61), requireNonNull(back.get(61)));
    String lost = requireNonNull(back.get(60));
    delete(world.name(EVENTS), lost);

    requireFigures(toTheEnd(request, call -> overtaken(call, lost)), 148, 31);

    assertThat(shown(request.get("take_back").textValue()).at("/taken_back/count").intValue())
        .isEqualTo(159);
    assertThat(back()).hasSize(148).doesNotContainKey(42);
  }

  /** Erases an event as an erasure does that begins just after a call has read the ledger. */
  private void eraseUnnamed(String erased, String id) {
    Map<String, AttributeValue> tombstone =
        new HashMap<>(requireNonNull(tables.items(EVENTS).get(erased)));
    tombstone.put("id", AttributeValue.fromS(id));
    put(world.name(EVENTS), tombstone);
  }

  private void store(Kind kind) {
    int most = kind == Kind.LARGE ? 1 : 100; // of a batch
    for (int from = kind.from; from < kind.to; from += most) {
      Stream<Integer> numbers = IntStream.range(from, Math.min(from + most, kind.to)).boxed();
      int number = from;
      for (JsonNode result : send(numbers, kind)) {
        ids.put(number, result.at("/event/id").textValue());
        number++;
      }
    }
  }

  private JsonNode send(Stream<Integer> numbers, Kind kind) {
    String token = world.client().token();
    return Batches.results(Batches.send(world, token, numbers.map(kind::event).toList()));
  }

  private String id(int number) {
    return requireNonNull(ids.get(number));
  }

  /** The ids of the events that are there, by their numbers. */
  private Map<Integer, String> back() {
    return tables.items(EVENTS).entrySet().stream()
        .filter(item -> item.getValue().containsKey("renumbered_at"))
        .collect(Collectors.toMap(item -> number(item.getValue()), Map.Entry::getKey));
  }

  private int number(Map<String, AttributeValue> item) {
    String id = requireNonNull(item.get("id")).s();
    String small = requireNonNull(item.get("payload")).s();
    String payload = small == null ? new String(world.payload(id), UTF_8) : small;
    return Integer.parseInt(payload.replaceFirst("^[{]\"n\":(\\d+),[^§]*", "$1"));
  }

  private void put(String table, Map<String, AttributeValue> item) {
    world.dynamoDb().putItem(put -> put.tableName(table).item(item));
  }

  private void delete(String table, String id) {
    world
        .dynamoDb()
        .deleteItem(delete -> delete.tableName(table).key(Map.of("id", AttributeValue.fromS(id))));
  }

  /** Makes an erasure, and returns its id. */
  private String erase(String request) {
    world.clock().pass(Duration.ofSeconds(1));
    try {
      ObjectNode event = (ObjectNode) JSON.readTree(request);
      return proof(world.operator().eraseToTheEnd(event).getLast()).get("erasure_id").textValue();
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  private static JsonNode proof(JsonNode answer) {
    assertThat(answer.has("proof")).as(answer.toString()).isTrue();
    return answer.get("proof");
  }

  private static boolean isWrite(Proxy.Call call) {
    return List.of("PutItem EventsTable", "TransactWriteItems EventsTable").contains(call.name());
  }

  private ObjectNode takeBack(String erasureId) {
    return JSON.createObjectNode().put("take_back", erasureId).put("restore_from", copy);
  }

  private JsonNode shown(String erasureId) {
    return world
        .operator()
        .findEvents(JSON.createObjectNode().put("show", erasureId))
        .get("erasure");
  }

  /** The answers of all calls. */
  private static List<JsonNode> toTheEnd(ObjectNode request, Function<ObjectNode, JsonNode> call) {
    List<JsonNode> answers = new ArrayList<>(List.of(call.apply(request)));
    while (answers.getLast().has("next")) {
      answers.add(call.apply(request.deepCopy().set("next", answers.getLast().get("next"))));
    }
    proof(answers.getLast());
    return answers;
  }

  /** Makes a call. Just before it stores an event, another call stores that event. */
  private JsonNode overtaken(ObjectNode request, String lost) {
    List<Map<String, AttributeValue>> stored = new ArrayList<>();
    world.fail(call -> {
      if (isWrite(call) && stored.isEmpty()) {
        stored.add(Map.of());
        world.clock().pass(Duration.ofSeconds(1));
        once(request);
        stored.set(0, requireNonNull(tables.items(EVENTS).get(lost)));
      }
      return AwsFault.NONE;
    });
    JsonNode answer = once(request);
    world.fail(call -> AwsFault.NONE);
    stored.forEach(item -> assertThat(tables.items(EVENTS)).containsEntry(lost, item));
    return answer;
  }

  private JsonNode once(ObjectNode request) {
    return invoke("RestoreEventsFunction", request);
  }

  /**
   * Makes a call again and again. Each try dies at a later call to AWS: that call is made, but no
   * other. Of those before, each third write loses its answer.
   */
  private JsonNode killedAtEachCall(ObjectNode request) {
    JsonNode answer;
    int last = 0;
    AtomicInteger updates = new AtomicInteger();
    do {
      last += STEP * (last < 15 ? 1 : 4); // when it has begun to write, there are ten calls at once
      world.fail(dyingAt(last, updates));
      answer = once(request);
    } while (isUnavailable(answer));
    world.fail(call -> AwsFault.NONE);
    return answer;
  }

  /**
   * @param updates counts those of the proof: it also dies at the first
   */
  private Function<Proxy.Call, AwsFault> dyingAt(int last, AtomicInteger updates) {
    AtomicInteger calls = new AtomicInteger();
    AtomicBoolean isDead = new AtomicBoolean();
    return call -> {
      if (call.name().equals("BatchGetItem EventsTable-restored")) {
        world.clock().pass(Duration.ofSeconds(41)); // so that it ends with a next
      }
      int number = calls.incrementAndGet();
      boolean isFirstUpdate =
          call.name().equals("UpdateItem ErasuresTable") && updates.incrementAndGet() == 1;
      if (isDead.get()) {
        return AwsFault.ACCESS_DENIED;
      }
      boolean dies = number == last || isFirstUpdate;
      if (dies) {
        isDead.set(true);
      }
      boolean isLost = dies || (number % 3 == 0 && isWrite(call));
      return isLost ? AwsFault.LOST_ANSWER : AwsFault.NONE;
    };
  }

  private JsonNode invoke(String function, ObjectNode event) {
    return world.operator().invoke(function, event.toString());
  }

  private static boolean isUnavailable(JsonNode answer) {
    return answer.path("code").asText().equals("temporarily_unavailable");
  }
}
