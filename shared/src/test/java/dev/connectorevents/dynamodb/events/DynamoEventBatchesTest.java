package dev.connectorevents.dynamodb.events;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.EnumSource.Mode.EXCLUDE;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.Promise;
import dev.connectorevents.SideBySide;
import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.emulator.Endpoint;
import dev.connectorevents.emulator.Stores;
import dev.connectorevents.event.Deliveries;
import dev.connectorevents.event.Delivery;
import dev.connectorevents.event.EventToStore;
import dev.connectorevents.event.EventType;
import dev.connectorevents.event.Events;
import dev.connectorevents.event.EventsTest;
import dev.connectorevents.event.Fingerprint;
import dev.connectorevents.event.Meta;
import dev.connectorevents.event.Payload;
import dev.connectorevents.event.Payloads;
import dev.connectorevents.event.RetentionRules;
import dev.connectorevents.event.SentPayload;
import dev.connectorevents.event.StoreOutcome;
import dev.connectorevents.event.ToStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
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
  private final DynamoEvents events = events(RETENTION);
  private final DynamoEventBatches batches = batches(events);

  private DynamoEvents events(Duration retention) {
    return new DynamoEvents(dynamoDb, table, new Random(), RetentionRules.parse("", retention));
  }

  private DynamoEventBatches batches(DynamoEvents single) {
    SideBySide sideBySide = new SideBySide(Thread::startVirtualThread, 50);
    return new DynamoEventBatches(dynamoDb, table, single, sideBySide, pauses::add);
  }

  /** Stores each event beside another one. A single event would not go into a statement. */
  @Override
  protected Events store() {
    DynamoEventBatches all = batches(events(Duration.ZERO));
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
        .allSatisfy(sent -> assertThat(EventItem.event(read(sent.id()))).isEqualTo(sent.event()));
  }

  @Test
  void an_event_has_the_attributes_and_the_size_that_it_has_alone() {
    EventToStore small = keyed("{}");
    EventToStore large = keyed(Payloads.random(20_000));

    EventToStore sameSmall = withOtherId(small);
    EventToStore sameLarge = withOtherId(large);

    batches.store(List.of(small, large));
    events.store(sameSmall);
    events.store(sameLarge);

    assertThat(read(small.id()).attributes()).hasSameSizeAs(read(sameSmall.id()).attributes());
    assertThat(ItemSize.of(read(small.id()))).isEqualTo(ItemSize.of(read(sameSmall.id())));
    assertThat(ItemSize.of(read(large.id()))).isEqualTo(ItemSize.of(read(sameLarge.id())));
    assertThat(dynamoDb.batches).hasSize(1);
  }

  @Test
  @Promise("**Each event is stored exactly once or not at all**")
  void each_event_ends_as_if_it_had_been_stored_alone() {
    Instant young = CREATED.minus(RETENTION).plusSeconds(1);
    Instant old = CREATED.minus(RETENTION);
    EventToStore replayed = keyed("{}");
    EventToStore changed = keyed("{\"a\":1}");
    EventToStore expired = keyed("{}");
    EventToStore wasLarge = keyed(Payloads.random(1_000_000));
    EventToStore erased = keyed("{}");
    EventToStore erasedLong = keyed("{}");
    EventToStore large = keyed(Payloads.random(1_000_000));
    EventToStore tooLarge = keyed(Payloads.incompressible(5_500_000));
    EventToStore nearlyLarge = keyed(Payloads.random(700_000));
    Map.of(replayed, young, changed, young, expired, old, wasLarge, young).forEach(this::storeAt);
    Map.of(erased, young, erasedLong, old).forEach(this::storeAt);
    tombstones.put(erased.id());
    tombstones.put(erasedLong.id());
    Map<EventToStore, StoreOutcome> outcomes = new LinkedHashMap<>();
    for (EventToStore isNew :
        List.of(keyed("{}"), withoutKey("{}"), withoutKey("{}"), large, nearlyLarge, expired)) {
      outcomes.put(isNew, new StoreOutcome.Stored(isNew.event()));
    }
    outcomes.put(replayed, new StoreOutcome.Replayed(ToStore.at(replayed, young).event()));
    outcomes.put(
        withPayload(changed, "{\"a\":2}"),
        new StoreOutcome.KeyReused(ToStore.at(changed, young).event()));
    outcomes.put(erased, new StoreOutcome.Erased());
    outcomes.put(erasedLong, new StoreOutcome.Erased());
    outcomes.put(wasLarge, new StoreOutcome.Replayed(ToStore.at(wasLarge, young).event()));
    outcomes.put(
        withPayload(wasLarge, "{}"),
        new StoreOutcome.KeyReused(ToStore.at(wasLarge, young).event()));

    assertThat(batches.store(List.copyOf(outcomes.keySet())))
        .containsExactlyElementsOf(outcomes.values());
    assertThat(batches.store(List.of(tooLarge)))
        .singleElement()
        .isInstanceOf(StoreOutcome.TooLarge.class);

    for (EventToStore event : List.of(large, nearlyLarge, wasLarge, expired)) {
      assertThat(ReadBack.read(service.dynamoDb(), table, event.id().toString()))
          .asString(UTF_8)
          .isEqualTo(event.payload().text());
    }
    assertThat(Tombstone.isOne(read(erased.id()))).isTrue();
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
    assertThat(sent)
        .allSatisfy(
            event -> assertThat(EventItem.event(read(event.id()))).isEqualTo(event.event()));
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
  @Promise("may be stored. Send it again under the same key, alone or in another batch")
  void a_call_that_fails_leaves_the_events_of_the_others_alone() {
    List<EventToStore> sent = keyed(60);
    SdkClientException lost = SdkClientException.create("lost");
    String inSecondCall = sent.get(30).id().toString();
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
              UUID.randomUUID(),
              new EventType("a.b"),
              delivery,
              new Payload("{\"a\":\"" + hostile + "\"}", new Meta(Map.of("brand_id", hostile))),
              USER,
              Optional.empty(),
              CREATED));
    }

    assertThat(batches.store(sent)).isEqualTo(stored(sent));

    assertThat(dynamoDb.batches.getFirst().statements())
        .hasSameSizeAs(sent)
        .extracting(BatchStatementRequest::statement)
        .containsOnly(
            "INSERT INTO \""
                + table
                + "\" VALUE {'attempts': ?, 'brand_key': ?, 'connector_installation_id': ?,"
                + " 'created_at': ?, 'event_type': ?, 'expires_at': ?, 'id': ?,"
                + " 'next_retry_at': ?, 'payload': ?, 'response': ?, 'sent_at': ?, 'status': ?,"
                + " 'user_id': ?}");
    assertThat(sent)
        .allSatisfy(event -> {
          Item item = read(event.id());
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
    return DynamoEventBatches.split(
            bytes.stream()
                .map(size ->
                    new EventWrite(
                        keyed("{}").event(),
                        size > 0
                            ? List.of(new Item().put("b", new byte[size]))
                            : List.of(new Item(), new Item()),
                        Optional.empty()))
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

  /** Stores an event by itself, at this time. */
  private void storeAt(EventToStore toStore, Instant time) {
    new DynamoEvents(service.dynamoDb(), table, new Random(), RetentionRules.parse("", RETENTION))
        .store(ToStore.at(toStore, time));
  }

  private static List<StoreOutcome> stored(List<EventToStore> sent) {
    return sent.stream().<StoreOutcome>map(it -> new StoreOutcome.Stored(it.event())).toList();
  }

  private static List<EventToStore> keyed(int count) {
    return IntStream.range(0, count).mapToObj(i -> keyed("{\"n\":" + i + "}")).toList();
  }

  private static EventToStore keyed(String payload) {
    return keyed(UUID.randomUUID(), payload);
  }

  private static EventToStore withPayload(EventToStore first, String payload) {
    return keyed(first.id(), payload);
  }

  private static EventToStore withOtherId(EventToStore first) {
    return keyed(first.payload().text());
  }

  private static EventToStore keyed(UUID id, String payload) {
    Fingerprint fingerprint =
        Fingerprint.of(
            new EventType("github.push"), null, new SentPayload(payload, false, Optional.empty()));
    return toStore(id, payload, Optional.of(fingerprint));
  }

  private static EventToStore withoutKey(String payload) {
    return toStore(UUID.randomUUID(), payload, Optional.empty());
  }

  private static EventToStore toStore(UUID id, String payload, Optional<Fingerprint> fingerprint) {
    return new EventToStore(
        id,
        new EventType("github.push"),
        Deliveries.FULL,
        new Payload(payload, new Meta(Map.of("brand_id", "7"))),
        USER,
        fingerprint,
        CREATED);
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
