package dev.connectorevents.dynamodb.erasure;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.Promise;
import dev.connectorevents.SideBySide;
import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.dynamodb.events.EventWriter;
import dev.connectorevents.dynamodb.events.ItemSize;
import dev.connectorevents.dynamodb.events.ReadBack;
import dev.connectorevents.dynamodb.events.SizedEvents;
import dev.connectorevents.dynamodb.events.Tombstones;
import dev.connectorevents.emulator.Endpoint;
import dev.connectorevents.emulator.Stores;
import dev.connectorevents.erasure.Erasure;
import dev.connectorevents.erasure.ErasureLedger.Closed;
import dev.connectorevents.erasure.ErasureLedger.Step;
import dev.connectorevents.erasure.Erasures;
import dev.connectorevents.erasure.RestoredEvents.Copied;
import dev.connectorevents.erasure.RestoredEvents.NotCopied;
import dev.connectorevents.event.EventIds;
import dev.connectorevents.event.IdempotencyKey;
import dev.connectorevents.event.Payloads;
import dev.connectorevents.event.Timestamp;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIf;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

@DisabledIf(
    value = "dev.connectorevents.emulator.Endpoint#isMoto",
    disabledReason = Endpoint.MOTO_ITEM_SIZE)
class DynamoRestoredEventsTest {

  private static final Instant CREATED = Instant.parse("2026-11-20T12:00:00.123Z");

  /** An id of a key. */
  private static final UUID KEYED =
      EventIds.of(new UUID(0, 1), IdempotencyKey.parse("key").orElseThrow());

  private static final Instant NOW = Instant.parse("2026-11-25T12:00:00.456Z");

  @AutoClose private static final Stores service = Endpoint.stores(Path.of("../template.yaml"));
  private static final DynamoDbClient dynamoDb = service.dynamoDb();
  private static final String table = service.name("EventsTable");
  private static final String source = table + "-restored";

  private final EventWriter backup = new EventWriter(dynamoDb, source);
  private final EventWriter events = new EventWriter(dynamoDb, table);
  private final DynamoRestoredEvents restored =
      new DynamoRestoredEvents(
          dynamoDb, table, () -> NOW, new SideBySide(Runnable::run, 10), pause -> {});

  @BeforeEach
  void restore() {
    dynamoDb.createTable(create ->
        create
            .tableName(source)
            .billingMode(BillingMode.PAY_PER_REQUEST)
            .keySchema(KeySchemaElement.builder().attributeName("id").keyType(KeyType.HASH).build())
            .attributeDefinitions(
                AttributeDefinition.builder()
                    .attributeName("id")
                    .attributeType(ScalarAttributeType.S)
                    .build()));
  }

  @AfterEach
  void clear() {
    dynamoDb.deleteTable(delete -> delete.tableName(source));
    events.clear();
  }

  @Test
  @Promise("A copied event is as it was, with the attribute `renumbered_at`")
  void what_is_gone_comes_back_as_it_was() {
    UUID small = UUID.randomUUID();
    UUID large = UUID.randomUUID();
    backup.store(small, "a.b", CREATED);
    String payload = Payloads.random(1_000_000);
    backup.store(large, "a.b", payload, CREATED);

    assertThat(restored.copy(source, Optional.empty()))
        .isEqualTo(new Copied(2, 0, List.of(), Optional.empty()));

    assertThat(events.items())
        .hasSameSizeAs(backup.items())
        .allSatisfy(item -> {
          Map<String, AttributeValue> copy = new HashMap<>(item);
          boolean isEvent = item.containsKey("event_type");
          assertThat(copy.remove("renumbered_at"))
              .isEqualTo(isEvent ? fromS(Timestamp.of(NOW)) : null);
          assertThat(backup.items()).contains(copy);
        });
    assertThat(ReadBack.read(dynamoDb, table, large.toString())).isEqualTo(payload.getBytes(UTF_8));
    assertThat(restored.copy(source, Optional.empty()))
        .isEqualTo(new Copied(0, 2, List.of(), Optional.empty()));
  }

  @Test
  @Promise("where the stack has nothing under their ids, and leave out what has expired.")
  void what_is_there_stays() {
    UUID newer = UUID.randomUUID();
    UUID erased = UUID.randomUUID();
    backup.store(newer, "a.old", CREATED);
    backup.store(erased, "a.b", CREATED);
    events.store(newer, "a.new", CREATED.plusSeconds(1));
    events.store(erased, "a.b", CREATED);
    new Tombstones(dynamoDb, table).put(erased);
    Set<Map<String, AttributeValue>> before = new HashSet<>(events.items());

    assertThat(restored.copy(source, Optional.empty()).kept()).isEqualTo(2);

    assertThat(new HashSet<>(events.items())).isEqualTo(before);
  }

  @Test
  @Promise({
    "`not_restored` has each event that cannot be copied, with its `id` and the `reason`",
    "where the stack has nothing under their ids, and leave out what has expired."
  })
  void what_has_expired_stays_away_and_so_does_a_part_without_its_head() {
    backup.store(
        UUID.randomUUID(), "a.b", Optional.empty(), CREATED, Optional.of(Duration.ofDays(1)));
    UUID large = UUID.randomUUID();
    backup.store(large, "a.b", Payloads.random(1_000_000), CREATED);
    delete(large.toString());
    UUID incomplete = UUID.randomUUID();
    backup.store(incomplete, "a.b", Payloads.random(1_000_000), CREATED);
    delete(incomplete + "#1");

    assertThat(restored.copy(source, Optional.empty()))
        .isEqualTo(
            new Copied(
                0,
                0,
                List.of(new NotCopied(incomplete.toString(), "a part of its payload is missing")),
                Optional.empty()));

    assertThat(events.items()).isEmpty();
  }

  @Test
  void the_largest_event_comes_back() {
    SizedEvents.write(UUID.randomUUID(), ItemSize.TRANSACTION_LIMIT).items().forEach(this::backUp);

    assertThat(copyAll()).extracting(Copied::restored).contains(1).containsOnly(0, 1);
    assertThat(copyAll()).extracting(Copied::kept).contains(1);
  }

  @Test
  void an_event_that_cannot_be_copied_is_named_and_the_others_come_back() {
    UUID tooLarge = UUID.randomUUID();
    SizedEvents.write(tooLarge, 4 << 20).items().forEach(this::backUp);
    UUID full = UUID.randomUUID();
    backup.store(full, "a.b", CREATED);
    Item largest = new Item(new HashMap<>(item(full))).put("payload", "");
    backUp(largest.put("payload", "x".repeat((int) (ItemSize.LIMIT - ItemSize.of(largest)))));
    UUID damaged = UUID.randomUUID();
    backup.store(damaged, "a.b", CREATED);
    backUp(new Item(new HashMap<>(item(damaged))).put("expires_at", "tomorrow"));
    backUp(new Item().put("id", "no event of ours").put("parts", 101));
    for (int i = 0; i < 3; i++) {
      backup.store(UUID.randomUUID(), "a.b", CREATED);
    }

    List<Copied> copied = copyAll();

    assertThat(copied.stream().mapToInt(Copied::restored).sum()).isEqualTo(3);
    assertThat(copied.stream().flatMap(page -> page.notCopied().stream()))
        .extracting(NotCopied::id, event -> event.reason().replaceFirst(":.*", ""))
        .containsExactlyInAnyOrder(
            tuple(tooLarge.toString(), "DynamoDB refuses it"),
            tuple(full.toString(), "DynamoDB refuses it"),
            tuple(damaged.toString(), "its item is damaged"),
            tuple("no event of ours", "its item is damaged"));
    assertThat(events.items()).hasSize(3);
  }

  private List<Copied> copyAll() {
    List<Copied> pages = new ArrayList<>();
    Optional<String> place = Optional.empty();
    do {
      pages.add(restored.copy(source, place));
      place = pages.getLast().next();
    } while (place.isPresent());
    return pages;
  }

  private void backUp(Item item) {
    dynamoDb.putItem(put -> put.tableName(source).item(item.attributes()));
  }

  private static Map<String, AttributeValue> item(UUID id) {
    return new Tombstones(dynamoDb, source).item(id);
  }

  @Test
  @Promise("A tombstone has the time of its write, and a new position too.")
  void a_tombstone_comes_back_with_the_time_of_its_write() {
    UUID id = UUID.randomUUID();
    backup.store(id, "a.b", CREATED);
    new Tombstones(dynamoDb, source).put(id);
    Map<String, AttributeValue> old = backup.items().getFirst();

    restored.copy(source, Optional.empty());

    assertThat(events.items().getFirst())
        .containsEntry("erased_at", fromS(Timestamp.of(NOW)))
        .containsEntry("erasure_id", requireNonNull(old.get("erasure_id")))
        .hasSameSizeAs(old);
  }

  @Test
  @Promise("The first calls put tombstones for the ids of the ledger")
  void what_an_erasure_has_selected_is_a_tombstone_before_it_can_be_copied() {
    UUID selected = UUID.randomUUID();
    UUID sinceThen = UUID.randomUUID();
    UUID isThere = UUID.randomUUID();
    backup.store(selected, "a.b", Payloads.random(1_000_000), CREATED);
    backup.store(sinceThen, "a.b", CREATED.plusSeconds(60)); // an open erasure names expired ones
    backup.store(isThere, "a.b", CREATED);
    events.store(isThere, "a.b", CREATED);
    Erasure erasure = erasure(CREATED.plusSeconds(60));
    Step step = step(Set.of(selected, sinceThen, isThere, KEYED), Optional.empty());

    assertThat(restored.erase(source, erasure, step)).isEqualTo(1);
    assertThat(restored.erase(source, erasure, step)).isZero();

    assertThat(new Tombstones(dynamoDb, table).item(selected))
        .containsEntry("erased_at", fromS(Timestamp.of(NOW)))
        .containsEntry("erasure_id", fromS(erasure.id().toString()))
        .doesNotContainKey("payload");
    assertThat(restored.copy(source, Optional.empty()))
        .isEqualTo(new Copied(1, 2, List.of(), Optional.empty()));
    assertThat(new Tombstones(dynamoDb, table).item(selected)).containsKey("erased_at");
  }

  @Test
  @Promise("for the keys of events that were stored and erased after the backup.")
  void the_key_of_an_erased_event_that_is_younger_than_the_backup_stays_refused() {
    Step step = step(Set.of(KEYED, UUID.randomUUID()), Optional.of(Closed.NOTHING));

    assertThat(restored.erase(source, erasure(NOW), step)).isEqualTo(1);

    assertThat(events.items()).hasSize(1);
    assertThat(events.items().getFirst())
        .containsEntry("id", fromS(KEYED.toString()))
        .containsKeys("erased_at", "erasure_id")
        .hasSize(3); // no expires_at: for ever
  }

  @Test
  @Promise("the tombstones of events without a key last for 35 days")
  void the_tombstone_of_an_event_without_a_key_stays_for_35_days_more() {
    UUID id = UUID.randomUUID();
    backup.store(id, "a.b", CREATED);
    new Tombstones(dynamoDb, source).put(id, NOW.plusSeconds(60));

    restored.copy(source, Optional.empty());

    assertThat(events.items().getFirst())
        .containsEntry(
            "expires_at",
            AttributeValue.fromN("" + NOW.plus(Duration.ofDays(35)).getEpochSecond()));
  }

  @Test
  void pages_have_every_event_once() {
    for (int i = 0; i < 101; i++) {
      backup.store(UUID.randomUUID(), "a.b", CREATED);
    }

    Copied first = restored.copy(source, Optional.empty());
    Copied second = restored.copy(source, first.next());

    assertThat(List.of(first.restored(), second.restored())).containsExactly(100, 1);
    assertThat(second.next()).isEmpty();
    assertThat(events.items()).hasSize(101);
  }

  @Test
  @Promise("since the function's rights name no other.")
  void only_the_table_that_the_rights_name_is_read_if_it_is_there() {
    assertThat(restored.isThere(source)).isTrue();
    assertThat(restored.isThere(table)).isFalse();
    assertThat(restored.rule()).contains(source);
    DynamoRestoredEvents ofOther =
        new DynamoRestoredEvents(
            dynamoDb, "other", () -> NOW, new SideBySide(Runnable::run, 10), pause -> {});
    assertThat(ofOther.isThere("other-restored")).isFalse();
  }

  private static Erasure erasure(Instant begun) {
    return Erasures.begun(UUID.randomUUID(), Optional.empty(), begun);
  }

  private static Step step(Set<UUID> ids, Optional<Closed> closed) {
    return new Step(ids, Set.of(), Set.of(), Optional.empty(), false, closed);
  }

  private static void delete(String id) {
    dynamoDb.deleteItem(delete -> delete.tableName(source).key(Map.of("id", fromS(id))));
  }
}
