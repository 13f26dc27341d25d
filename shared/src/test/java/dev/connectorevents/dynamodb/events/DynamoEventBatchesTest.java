package dev.connectorevents.dynamodb.events;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.EnumSource.Mode.EXCLUDE;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.SideBySide;
import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.emulator.Endpoint;
import dev.connectorevents.emulator.Stores;
import dev.connectorevents.emulator.dynamodb.CapacityMeter;
import dev.connectorevents.event.Deliveries;
import dev.connectorevents.event.Delivery;
import dev.connectorevents.event.EventToStore;
import dev.connectorevents.event.EventType;
import dev.connectorevents.event.Events;
import dev.connectorevents.event.EventsTest;
import dev.connectorevents.event.Fingerprint;
import dev.connectorevents.event.Meta;
import dev.connectorevents.event.Payload;
import dev.connectorevents.event.RetentionRules;
import dev.connectorevents.event.SentPayload;
import dev.connectorevents.event.StoreOutcome;
import dev.connectorevents.event.WebhookEvent;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchExecuteStatementResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementErrorCodeEnum;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementResponse;

/**
 * Checks that a batch takes few calls, and that each of its events has the outcome that it would
 * have alone.
 */
@DisabledIf(
    value = "dev.connectorevents.emulator.Endpoint#isMoto",
    disabledReason = "moto answers statements of PartiQL otherwise than DynamoDB")
class DynamoEventBatchesTest extends EventsTest {

  /** A time a hundred years ahead, so that DynamoDB does not delete the events as expired. */
  private static final Instant CREATED = Instant.parse("2126-11-20T12:00:00Z");

  private static final Duration RETENTION = Duration.ofDays(1);
  private static final UUID USER = UUID.randomUUID();

  @AutoClose private static final Stores service = Endpoint.stores(Path.of("../template.yaml"));
  private static final String table = service.name("EventsTable");
  private static final Tombstones tombstones = new Tombstones(service.dynamoDb(), table);

  private final HookedDynamoDb dynamoDb = new HookedDynamoDb(service.dynamoDb());
  private final List<Duration> pauses = new CopyOnWriteArrayList<>();
  private final DynamoEvents events =
      new DynamoEvents(dynamoDb, table, new Random(), RetentionRules.forAll(RETENTION));
  private final DynamoEventBatches batches =
      new DynamoEventBatches(
          dynamoDb, table, events, new SideBySide(Thread::startVirtualThread, 50), pauses::add);

  /** Stores each event beside another one. A single event would not go into a statement. */
  @Override
  protected Events store() {
    DynamoEvents keeping =
        new DynamoEvents(dynamoDb, table, new Random(), RetentionRules.forAll(Duration.ZERO));
    DynamoEventBatches all =
        new DynamoEventBatches(
            dynamoDb, table, keeping, new SideBySide(Thread::startVirtualThread, 50), pauses::add);
    return toStore -> (StoreOutcome.Known) all.store(List.of(toStore, withoutKey("{}"))).getFirst();
  }

  @Override
  protected String payload(UUID id) {
    return new String(ReadBack.read(service.dynamoDb(), table, id.toString()), UTF_8);
  }

  @Override
  protected void erase(UUID id) {
    tombstones.put(id);
  }

  @Test
  void a_hundred_new_events_take_four_calls() {
    List<EventToStore> hundred = keyed(100);

    assertThat(batches.store(hundred)).isEqualTo(stored(hundred));

    assertThat(dynamoDb.batches).hasSize(4);
    assertThat(dynamoDb.puts).hasValue(0);
    assertThat(hundred)
        .allSatisfy(
            sent -> assertThat(EventItem.event(read(sent.event().id()))).isEqualTo(sent.event()));
  }

  @Test
  void an_event_costs_the_units_that_it_costs_alone() {
    EventToStore small = keyed("{}");
    EventToStore large = keyed(Payloads.random(20_000));

    assertThat(units(() -> batches.store(List.of(small, large))))
        .containsExactlyInAnyOrderElementsOf(
            units(() -> {
              events.store(withOtherId(small));
              events.store(withOtherId(large));
            }));
    assertThat(dynamoDb.batches).hasSize(1);
  }

  /**
   * An event of a batch, and what becomes of it.
   *
   * @param there the event to store under the same id before the batch, if any
   * @param outcome the expected outcome for the event
   */
  private record Kind(EventToStore event, Optional<EventToStore> there, StoreOutcome outcome) {}

  @Test
  void each_event_ends_as_if_it_had_been_stored_alone() {
    EventToStore replayed = keyed("{}");
    EventToStore late = later(replayed, RETENTION.minusSeconds(1));
    EventToStore changed = keyed("{\"a\":1}");
    EventToStore expired = keyed("{}");
    EventToStore afterExpired = later(expired, RETENTION);
    EventToStore wasLarge = keyed(Payloads.random(1_000_000));
    EventToStore erased = keyed("{}");
    EventToStore erasedLate = later(keyed("{}"), RETENTION.multipliedBy(2));
    EventToStore large = keyed(Payloads.random(1_000_000));
    EventToStore tooLarge = keyed(Payloads.incompressible(5_500_000));
    EventToStore nearlyLarge = keyed(Payloads.random(700_000));
    List<Kind> kinds =
        List.of(
            isNew(keyed("{}")),
            isNew(withoutKey("{}")),
            isNew(withoutKey("{}")),
            new Kind(late, Optional.of(replayed), new StoreOutcome.Replayed(replayed.event())),
            new Kind(
                withPayload(changed, "{\"a\":2}"),
                Optional.of(changed),
                new StoreOutcome.KeyReused(changed.event())),
            new Kind(
                afterExpired, Optional.of(expired), new StoreOutcome.Stored(afterExpired.event())),
            new Kind(erased, Optional.of(erased), new StoreOutcome.Erased()),
            new Kind(erasedLate, Optional.of(erasedLate), new StoreOutcome.Erased()),
            isNew(large),
            new Kind(wasLarge, Optional.of(wasLarge), new StoreOutcome.Replayed(wasLarge.event())),
            isNew(nearlyLarge),
            new Kind(
                withPayload(wasLarge, "{}"),
                Optional.empty(),
                new StoreOutcome.KeyReused(wasLarge.event())),
            isNew(keyed("{}")));
    kinds.forEach(kind -> kind.there().ifPresent(events::store));
    tombstones.put(erased.event().id());
    tombstones.put(erasedLate.event().id());

    assertThat(batches.store(kinds.stream().map(Kind::event).toList()))
        .isEqualTo(kinds.stream().map(Kind::outcome).toList());
    assertThat(batches.store(List.of(tooLarge)))
        .singleElement()
        .isInstanceOf(StoreOutcome.TooLarge.class);

    for (EventToStore event : List.of(large, nearlyLarge, wasLarge, afterExpired)) {
      assertThat(ReadBack.read(service.dynamoDb(), table, event.event().id().toString()))
          .asString(UTF_8)
          .isEqualTo(event.payload().text());
    }
    assertThat(Tombstone.isOne(read(erased.event().id()))).isTrue();
    assertThat(pauses).as("an item that exists is no reason to wait").isEmpty();
  }

  @Test
  void a_call_whose_answer_was_lost_has_stored_its_events() {
    List<EventToStore> sent =
        Stream.of(keyed(20), List.of(withoutKey("{}"), withoutKey("{}")))
            .flatMap(List::stream)
            .toList();
    dynamoDb.hook =
        (call, real) -> {
          real.batchExecuteStatement(call);
          return real.batchExecuteStatement(call); // what the SDK does when the answer is lost
        };

    assertThat(batches.store(sent)).isEqualTo(stored(sent));
    assertThat(dynamoDb.puts).hasValue(sent.size());
  }

  @ParameterizedTest
  @EnumSource(mode = EXCLUDE, names = "DUPLICATE_ITEM")
  void an_event_whose_statement_fails_is_tried_alone_after_a_pause(
      BatchStatementErrorCodeEnum code) {
    List<EventToStore> sent = keyed(3);
    dynamoDb.hook =
        (call, real) -> {
          BatchStatementResponse failed = failed(code);
          // An internal error may come after the write.
          BatchStatementResponse stored =
              real.batchExecuteStatement(batch -> batch.statements(call.statements().get(1)))
                  .responses()
                  .getFirst();
          real.batchExecuteStatement(batch -> batch.statements(call.statements().get(2)));
          return answer(List.of(failed, stored, failed));
        };

    assertThat(batches.store(sent)).isEqualTo(stored(sent));
    assertThat(dynamoDb.puts).hasValue(2);
    assertThat(pauses).containsExactly(Duration.ofMillis(50));
  }

  @Test
  void a_call_that_fails_leaves_the_events_of_the_others_alone() {
    List<EventToStore> sent = keyed(60);
    SdkClientException lost = SdkClientException.create("lost");
    String inSecondCall = sent.get(30).event().id().toString();
    dynamoDb.hook =
        (call, real) -> {
          if (call.toString().contains(inSecondCall)) {
            throw lost;
          }
          return real.batchExecuteStatement(call);
        };

    List<StoreOutcome> outcomes = batches.store(sent);

    assertThat(outcomes.subList(0, 25)).isEqualTo(stored(sent.subList(0, 25)));
    assertThat(outcomes.subList(50, 60)).isEqualTo(stored(sent.subList(50, 60)));
    assertThat(outcomes.subList(25, 50))
        .allSatisfy(outcome ->
            assertThat(((StoreOutcome.Unknown) outcome).failure())
                .isInstanceOf(DependencyUnavailableException.class)
                .hasMessage("BatchExecuteStatement on events failed"));
    assertThat(dynamoDb.puts).hasValue(0);
  }

  @Test
  void an_answer_that_leaves_out_an_event_is_none() {
    dynamoDb.hook = (call, real) -> answer(List.of(BatchStatementResponse.builder().build()));

    assertThat(batches.store(keyed(2)))
        .allSatisfy(outcome ->
            assertThat(((StoreOutcome.Unknown) outcome).failure())
                .isInstanceOf(DependencyUnavailableException.class));
  }

  /** DynamoDB refuses the whole call, since two of its statements have the same primary key. */
  @Test
  void a_call_that_is_refused_as_invalid_is_made_event_by_event() {
    EventToStore twice = keyed("{}");
    List<EventToStore> sent = new ArrayList<>(keyed(3));
    sent.addAll(List.of(twice, twice));

    List<StoreOutcome> outcomes = batches.store(sent);

    assertThat(outcomes.subList(0, 3)).isEqualTo(stored(sent.subList(0, 3)));
    assertThat(outcomes.subList(3, 5))
        .containsExactlyInAnyOrder(
            new StoreOutcome.Stored(twice.event()), new StoreOutcome.Replayed(twice.event()));
    assertThat(dynamoDb.puts).hasValue(5);
  }

  @Test
  void nothing_that_a_sender_writes_becomes_part_of_a_statement() {
    List<EventToStore> sent = new ArrayList<>();
    for (String hostile :
        List.of("?", "'", "\"", "'}", "\\", "--", "';", "{'id': 'x'}", "\u0000", "<<>>", "`")) {
      Delivery delivery = new Delivery(1L, hostile, hostile, 1, CREATED, CREATED);
      sent.add(
          new EventToStore(
              new WebhookEvent(UUID.randomUUID(), new EventType("a.b"), delivery, CREATED),
              new Payload("{\"a\":\"" + hostile + "\"}", new Meta(Map.of("brand_id", hostile))),
              USER,
              Optional.empty()));
    }

    assertThat(batches.store(sent)).isEqualTo(stored(sent));

    assertThat(dynamoDb.batches.getFirst().statements())
        .hasSameSizeAs(sent)
        .extracting(BatchStatementRequest::statement)
        .containsOnly(
            "INSERT INTO \""
                + table
                + "\" VALUE {'attempts': ?, 'brand_key': ?, 'connector_installation_id': ?,"
                + " 'created_at': ?, 'event_type': ?, 'expires_at': ?, 'id': ?, 'lane': ?,"
                + " 'next_retry_at': ?, 'payload': ?, 'response': ?, 'sent_at': ?, 'status': ?,"
                + " 'user_id': ?}");
    assertThat(sent)
        .allSatisfy(event -> {
          Item item = read(event.event().id());
          assertThat(EventItem.event(item)).isEqualTo(event.event());
          assertThat(item.text("payload")).isEqualTo(event.payload().text());
        });
  }

  @Test
  void a_call_has_at_most_25_events_and_4_megabytes() {
    assertThat(sizes(Collections.nCopies(60, 100))).containsExactly(25, 25, 10);
    assertThat(sizes(Collections.nCopies(24, 400_000))).containsExactly(10, 10, 4);
    int several = -1;
    assertThat(sizes(List.of(100, 100, several, several, 100, 400_000, several, 100)))
        .as("an event of several items is alone")
        .containsExactly(2, 1, 1, 2, 1, 1);
    assertThat(sizes(List.of())).isEmpty();
  }

  private static List<Integer> sizes(List<Integer> bytes) {
    WebhookEvent event = keyed("{}").event();
    return DynamoEventBatches.split(
            bytes.stream()
                .map(size ->
                    new EventWrite(
                        event,
                        Optional.of(size)
                            .filter(one -> one > 0)
                            .map(one -> new Item().put("b", new byte[one])),
                        () -> new StoreOutcome.Stored(event)))
                .toList())
        .stream()
        .map(List::size)
        .toList();
  }

  private static BatchStatementResponse failed(BatchStatementErrorCodeEnum code) {
    return BatchStatementResponse.builder().error(error -> error.code(code)).build();
  }

  private static BatchExecuteStatementResponse answer(List<BatchStatementResponse> responses) {
    return BatchExecuteStatementResponse.builder().responses(responses).build();
  }

  /** The write units of the table and of its indexes, as one text for each write. */
  private static List<String> units(Runnable work) {
    Queue<CapacityMeter.Write> writes = new ConcurrentLinkedQueue<>();
    CapacityMeter.record(
        writes::add,
        () -> {
          work.run();
          return writes;
        });
    return writes.stream().map(it -> it.tableUnits() + " " + it.unitsByIndex()).toList();
  }

  private static Kind isNew(EventToStore event) {
    return new Kind(event, Optional.empty(), new StoreOutcome.Stored(event.event()));
  }

  private static List<StoreOutcome> stored(List<EventToStore> sent) {
    return sent.stream().<StoreOutcome>map(it -> new StoreOutcome.Stored(it.event())).toList();
  }

  private static List<EventToStore> keyed(int count) {
    return IntStream.range(0, count).mapToObj(i -> keyed("{\"n\":" + i + "}")).toList();
  }

  private static EventToStore keyed(String payload) {
    return keyed(UUID.randomUUID(), payload, CREATED);
  }

  private static EventToStore later(EventToStore first, Duration time) {
    Instant created = first.event().createdAt().plus(time);
    return keyed(first.event().id(), first.payload().text(), created);
  }

  private static EventToStore withPayload(EventToStore first, String payload) {
    return keyed(first.event().id(), payload, first.event().createdAt());
  }

  private static EventToStore withOtherId(EventToStore first) {
    return keyed(first.payload().text());
  }

  private static EventToStore keyed(UUID id, String payload, Instant created) {
    Fingerprint fingerprint =
        Fingerprint.of(
            new EventType("github.push"), null, new SentPayload(payload, false, Optional.empty()));
    return toStore(id, payload, created, Optional.of(fingerprint));
  }

  private static EventToStore withoutKey(String payload) {
    return toStore(UUID.randomUUID(), payload, CREATED, Optional.empty());
  }

  private static EventToStore toStore(
      UUID id, String payload, Instant created, Optional<Fingerprint> fingerprint) {
    return new EventToStore(
        new WebhookEvent(id, new EventType("github.push"), Deliveries.FULL, created),
        new Payload(payload, new Meta(Map.of("brand_id", "7"))),
        USER,
        fingerprint);
  }

  private static Item read(UUID id) {
    Map<String, AttributeValue> key = Map.of("id", AttributeValue.fromS(id.toString()));
    return new Item(
        service
            .dynamoDb()
            .getItem(get -> get.tableName(table).key(key).consistentRead(true))
            .item());
  }
}
