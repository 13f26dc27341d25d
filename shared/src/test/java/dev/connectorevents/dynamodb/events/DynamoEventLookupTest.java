package dev.connectorevents.dynamodb.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.AdjustableClock;
import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.Promise;
import dev.connectorevents.emulator.Endpoint;
import dev.connectorevents.emulator.Stores;
import dev.connectorevents.event.Deliveries;
import dev.connectorevents.event.EventToStore;
import dev.connectorevents.event.EventType;
import dev.connectorevents.event.LookupOutcome;
import dev.connectorevents.event.Meta;
import dev.connectorevents.event.Payload;
import dev.connectorevents.event.Payloads;
import dev.connectorevents.event.RetentionRules;
import dev.connectorevents.event.StoredEvent;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;

class DynamoEventLookupTest {

  private static final Instant CREATED = Instant.parse("2026-11-20T12:00:00.123Z");
  private static final LookupOutcome ERASED =
      new LookupOutcome.Erased(Instant.parse(Tombstones.ERASED_AT));

  @AutoClose private static final Stores service = Endpoint.stores(Path.of("../template.yaml"));
  private static final String table = service.name("EventsTable");

  private static final Tombstones tombstones = new Tombstones(service.dynamoDb(), table);
  private static final BetweenTwoReads betweenTwoReads = new BetweenTwoReads();

  @AutoClose
  private static final DynamoDbClient dynamoDb =
      service.settings().dynamoDbClient(client -> client.addExecutionInterceptor(betweenTwoReads));

  private final AdjustableClock clock = new AdjustableClock("2026-11-20T12:00:01Z");
  private final DynamoEventLookup lookup =
      new DynamoEventLookup(dynamoDb, table, clock, pause -> {});

  @ParameterizedTest
  @ValueSource(ints = {0, 300_000, 2_000_000})
  @DisabledIf(
      value = "dev.connectorevents.emulator.Endpoint#isMoto",
      disabledReason = Endpoint.MOTO_ITEM_SIZE)
  @Promise("with the same text and after the same reads as an unknown id.")
  void an_event_of_an_unreadable_type_takes_the_read_of_an_unknown_id(int size) {
    EventToStore hidden = toStore(size == 0 ? "{}" : Payloads.random(size));
    store(hidden, Optional.empty());
    EventType type = hidden.type();

    for (UUID id : List.of(UUID.randomUUID(), hidden.id())) {
      betweenTwoReads.calls.clear();

      assertThat(lookup.find(id, Optional.of(other -> !other.equals(type))))
          .isEqualTo(new LookupOutcome.Absent());
      assertThat(betweenTwoReads.calls)
          .singleElement()
          .isInstanceOfSatisfying(
              GetItemRequest.class,
              read -> assertThat(read.projectionExpression()).doesNotContain("payload"));
    }
    assertThat(lookup.find(hidden.id(), Optional.of(type::equals))).isEqualTo(found(hidden));
  }

  @Test
  void a_reader_of_all_types_reads_a_small_event_at_once() {
    EventToStore small = toStore("{}");
    store(small, Optional.empty());
    betweenTwoReads.calls.clear();

    assertThat(find(small.id())).isEqualTo(found(small));
    assertThat(betweenTwoReads.calls).hasSize(1);
  }

  @Test
  @Promise("An event past its date is gone for every reader, and its key is free.")
  void an_event_past_its_retention_is_gone_before_its_item_is() {
    EventToStore kept = toStore("{}");
    store(kept, Optional.of(Duration.ofSeconds(10)));
    assertThat(find(kept.id())).isEqualTo(found(kept));

    clock.advance(Duration.ofSeconds(9));

    assertThat(find(kept.id())).isEqualTo(new LookupOutcome.Absent());
  }

  @Test
  @Promise("If it was sent without a key, it gets 404 from 35 days after the erasure.")
  void an_erased_event_is_found_as_erased_while_its_tombstone_is_there() {
    EventToStore keyed = toStore("{}");
    EventToStore withoutKey = toStore("{}");
    store(keyed, Optional.of(Duration.ofSeconds(10)));
    store(withoutKey, Optional.of(Duration.ofSeconds(10)));
    tombstones.put(keyed.id());
    tombstones.put(withoutKey.id(), clock.instant().plus(Duration.ofDays(35)));
    clock.advance(Duration.ofDays(35).minusSeconds(1));

    assertThat(find(keyed.id())).isEqualTo(ERASED);
    assertThat(find(withoutKey.id())).isEqualTo(ERASED);

    clock.advance(Duration.ofSeconds(1));

    assertThat(find(keyed.id())).isEqualTo(ERASED);
    assertThat(find(withoutKey.id())).isEqualTo(new LookupOutcome.Absent());
  }

  /** What may happen to a large event while the store reads it. */
  enum Change {
    ERASED,
    DELETED,
    REPLACED_BY_A_SMALL_EVENT,
    REPLACED_BY_A_LARGE_EVENT_WITH_FEWER_PARTS;

    /** Makes the change, and returns what a reader finds after it. */
    LookupOutcome apply(EventToStore event) {
      return switch (this) {
        case ERASED -> {
          tombstones.put(event.id());
          yield DynamoEventLookupTest.ERASED;
        }
        case DELETED -> {
          delete(event.id());
          yield new LookupOutcome.Absent();
        }
        case REPLACED_BY_A_SMALL_EVENT -> replace(event, "{}");
        case REPLACED_BY_A_LARGE_EVENT_WITH_FEWER_PARTS ->
            replace(event, Payloads.random(1_000_000));
      };
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisabledIf(
      value = "dev.connectorevents.emulator.Endpoint#isMoto",
      disabledReason = Endpoint.MOTO_ITEM_SIZE)
  void a_large_event_that_changes_between_two_reads_is_found_as_it_is_then(Change change) {
    EventToStore large = toStore(Payloads.random(2_000_000));
    store(large, Optional.empty());
    AtomicReference<LookupOutcome> then = new AtomicReference<>(found(large));
    betweenTwoReads.once(() -> then.set(change.apply(large)));

    assertThat(find(large.id())).isEqualTo(then.get());
  }

  /** Replaces an event by a new event with the same id, as if the old event had expired. */
  private static LookupOutcome replace(EventToStore old, String payload) {
    delete(old.id());
    EventToStore next = toStore(old.id(), payload, CREATED.plusSeconds(60));
    store(next, Optional.empty());
    return found(next);
  }

  private static void delete(UUID id) {
    for (String item : List.of("", "#1", "#2", "#3")) {
      service
          .dynamoDb()
          .deleteItem(delete -> delete.tableName(table).key(Map.of("id", fromS(id + item))));
    }
  }

  @Test
  @Promise({
    "The key of an erased event is not missing",
    "The key of an event whose retention has passed is missing."
  })
  void ids_are_stored_if_an_event_is_kept_or_was_erased_under_them() {
    EventToStore forEver = toStore("{}");
    EventToStore kept = toStore("{}");
    store(forEver, Optional.empty());
    store(kept, Optional.of(Duration.ofSeconds(10)));
    EventToStore erased = toStore("{}");
    store(erased, Optional.of(Duration.ofSeconds(10)));
    tombstones.put(erased.id());
    UUID unknown = UUID.randomUUID();
    Set<UUID> ids = Set.of(forEver.id(), kept.id(), erased.id(), unknown);

    assertThat(lookup.stored(ids)).containsExactlyInAnyOrder(forEver.id(), kept.id(), erased.id());
    clock.advance(Duration.ofSeconds(9));
    assertThat(lookup.stored(ids)).containsExactlyInAnyOrder(forEver.id(), erased.id());
  }

  /** Columns: a part, the part that replaces it or none, and what the error says. */
  @ParameterizedTest
  @CsvSource({"2,, missing", "1, 2, incomplete"})
  @DisabledIf(
      value = "dev.connectorevents.emulator.Endpoint#isMoto",
      disabledReason = Endpoint.MOTO_ITEM_SIZE)
  void parts_that_do_not_belong_together_are_a_failing_dependency_and_no_shorter_payload(
      String part, @Nullable String inItsPlace, String mistake) {
    DynamoDbClient client = service.dynamoDb();
    EventToStore large = toStore(Payloads.random(2_000_000));
    store(large, Optional.empty());
    AttributeValue id = fromS(large.id() + "#" + part);
    if (inItsPlace == null) {
      client.deleteItem(delete -> delete.tableName(table).key(Map.of("id", id)));
    } else {
      Map<String, AttributeValue> other =
          new HashMap<>(ReadBack.item(client, table, large.id() + "#" + inItsPlace));
      other.put("id", id);
      client.putItem(put -> put.tableName(table).item(other));
    }

    assertThatExceptionOfType(DependencyUnavailableException.class)
        .isThrownBy(() -> find(large.id()))
        .withMessageContaining(mistake);
  }

  private LookupOutcome find(UUID id) {
    return lookup.find(id, Optional.empty());
  }

  private static void store(EventToStore toStore, Optional<Duration> retention) {
    new DynamoEvents(
            service.dynamoDb(),
            table,
            new Random(),
            RetentionRules.parse("", retention.orElse(Duration.ZERO)))
        .store(toStore);
  }

  private static LookupOutcome found(EventToStore stored) {
    return new LookupOutcome.Found(
        new StoredEvent(stored.event(), stored.userId(), stored.payload().text()));
  }

  private static EventToStore toStore(String payload) {
    return toStore(UUID.randomUUID(), payload, CREATED);
  }

  private static EventToStore toStore(UUID id, String payload, Instant createdAt) {
    return new EventToStore(
        id,
        new EventType("shopify.orders/create"),
        Deliveries.FULL,
        new Payload(payload, new Meta(Map.of())),
        UUID.randomUUID(),
        Optional.empty(),
        createdAt);
  }
}
