package dev.connectorevents.dynamodb.events;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromN;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.emulator.Endpoint;
import dev.connectorevents.emulator.Stores;
import dev.connectorevents.event.ErasableEvent;
import dev.connectorevents.event.ErasableEvents;
import dev.connectorevents.event.ErasableEvents.EraseOutcome;
import dev.connectorevents.event.ErasableEvents.Page;
import dev.connectorevents.event.ErasableEventsTest;
import dev.connectorevents.event.ErasureSelector;
import dev.connectorevents.event.EventToStore;
import dev.connectorevents.event.Events;
import dev.connectorevents.event.Payloads;
import dev.connectorevents.event.RetentionRules;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

@DisabledIf(
    value = "dev.connectorevents.emulator.Endpoint#isMoto",
    disabledReason = Endpoint.MOTO_ITEM_SIZE)
class DynamoErasableEventsTest extends ErasableEventsTest {

  @AutoClose private static final Stores service = Endpoint.stores(Path.of("../template.yaml"));
  private static final String table = service.name("EventsTable");

  private static final BetweenTwoReads betweenTwoReads = new BetweenTwoReads();

  @AutoClose
  private static final DynamoDbClient dynamoDb =
      service.settings().dynamoDbClient(client -> client.addExecutionInterceptor(betweenTwoReads));

  private final DynamoErasableEvents events =
      new DynamoErasableEvents(dynamoDb, table, TestTimes.of(clock), pause -> {});

  @Override
  protected ErasableEvents events() {
    return events;
  }

  @Override
  protected void put(EventToStore toStore, Instant createdAt, Duration retention) {
    put(toStore, createdAt, retention, new Random());
  }

  /**
   * @param lanes draws the event's lane
   */
  private static void put(
      EventToStore toStore, Instant createdAt, Duration retention, RandomGenerator lanes) {
    new DynamoEvents(
            service.dynamoDb(),
            table,
            lanes,
            RetentionRules.forAll(retention),
            TestTimes.at(createdAt))
        .store(toStore);
  }

  @BeforeEach
  void emptyTable() {
    for (Map<String, AttributeValue> item : items()) {
      service
          .dynamoDb()
          .deleteItem(delete ->
              delete.tableName(table).key(Map.of("id", item.getOrDefault("id", fromS("")))));
    }
  }

  @Test
  void an_erased_event_with_a_key_leaves_its_id_and_the_erasure_at_its_time_for_ever() {
    UUID id = store(keyed("{}"), Optional.of(Duration.ofDays(1)));
    AttributeValue lane = requireNonNull(items().getFirst().get("lane"));

    ErasableEvent read = read(id);
    assertThat(events.erase(read, ERASURE)).isEqualTo(EraseOutcome.ERASED);
    clock.advance(Duration.ofSeconds(1));
    events.erase(read, UUID.randomUUID());

    assertThat(items())
        .containsExactly(
            Map.of(
                "id",
                fromS(id.toString()),
                "lane",
                lane,
                "created_at",
                fromS("2026-11-20T12:01:00.123Z"),
                "erased_at",
                fromS("2026-11-20T12:01:00.123Z"),
                "erasure_id",
                fromS(ERASURE.toString())));
  }

  @Test
  void no_erasure_begins_when_its_time_is_over() {
    UUID id = store(keyed("{}"), Optional.empty());
    TestDeadlines deadlines = new TestDeadlines(clock);
    HookedDynamoDb slow = new HookedDynamoDb(service.dynamoDb());
    slow.beforeWrite =
        () -> {
          clock.advance(Events.LONGEST_WRITE.plusMillis(1));
          deadlines.check();
        };

    assertThatExceptionOfType(DependencyUnavailableException.class)
        .isThrownBy(() ->
            new DynamoErasableEvents(slow, table, new WriteTimes(clock, deadlines), pause -> {})
                .erase(read(id), ERASURE));
    assertThat(slow.transactions).hasValue(0);
    assertThat(events.erased(List.of(id))).isEmpty();
  }

  @Test
  void the_tombstone_of_an_event_without_a_key_has_an_end() {
    UUID id = store(toStore(UUID.randomUUID(), CREATED, "{}", false), Optional.empty());

    events.erase(read(id), ERASURE);

    Instant end = NOW.plus(Duration.ofDays(35));
    assertThat(items().getFirst()).containsEntry("expires_at", fromN("" + end.getEpochSecond()));
  }

  @Test
  void all_parts_of_a_large_event_are_erased_with_it_at_once_and_other_events_stay() {
    UUID large = store(keyed(Payloads.random(2_000_000)), Optional.empty());
    UUID other = store(keyed(Payloads.random(1_000_000)), Optional.empty());
    List<Map<String, AttributeValue>> others =
        items().stream().filter(item -> idOf(item).startsWith(other.toString())).toList();
    assertThat(items()).hasSizeGreaterThan(others.size() + 2);

    HookedDynamoDb counting = new HookedDynamoDb(service.dynamoDb());

    new DynamoErasableEvents(counting, table, TestTimes.of(clock), pause -> {})
        .erase(read(large), ERASURE);

    assertThat(counting.transactions).hasValue(1);
    assertThat(items())
        .hasSize(others.size() + 1)
        .containsAll(others)
        .filteredOn(item -> idOf(item).startsWith(large.toString()))
        .hasSize(1);
  }

  @Test
  void an_expired_event_is_deleted_with_its_parts_and_leaves_nothing() {
    UUID id = store(keyed(Payloads.random(1_000_000)), Optional.of(Duration.ofSeconds(10)));

    assertThat(events.erase(read(id), ERASURE)).isEqualTo(EraseOutcome.EXPIRED);

    assertThat(items()).isEmpty();
  }

  /**
   * A new event can get the id of an expired event, and may differ from it in only one of these
   * attributes.
   */
  @ParameterizedTest
  @ValueSource(strings = {"created_at", "parts", "request"})
  void an_event_that_differs_from_the_one_read_is_not_erased(String attribute) {
    UUID id = store(keyed(Payloads.random(1_000_000)), Optional.empty());
    ErasableEvent read = read(id);
    service
        .dynamoDb()
        .updateItem(update ->
            update
                .tableName(table)
                .key(Map.of("id", fromS(id.toString())))
                .updateExpression("REMOVE #attribute")
                .expressionAttributeNames(Map.of("#attribute", attribute)));

    assertThat(events.erase(read, ERASURE)).isEqualTo(EraseOutcome.CHANGED);
  }

  @Test
  void a_brand_does_not_select_an_event_that_took_the_id_of_one_of_its_own() {
    Sent ofBrand = ofBrand(brand, CREATED);
    UUID id = store(ofBrand, Optional.of(Duration.ofSeconds(10)));
    betweenTwoReads.once(
        () -> store(toStore(id, CREATED.plusSeconds(30), "{}", true), Optional.empty()));

    assertThat(all(new ErasureSelector.Brand(brand), false)).isEmpty();
  }

  @Test
  void a_page_has_a_hundred_events_in_five_reads_and_the_next_one_goes_on_in_the_lane() {
    List<UUID> ids = new ArrayList<>();
    for (int i = 0; i < 130; i++) {
      Sent sent = ofBrand(brand, CREATED.plusMillis(i));
      put(sent.toStore(), sent.createdAt(), Duration.ZERO, () -> 0);
      ids.add(sent.toStore().id());
    }
    for (ErasureSelector selector :
        List.of(
            new ErasureSelector.Brand(brand),
            new ErasureSelector.Sender(SENDER, CREATED, NOW, Optional.empty()))) {
      betweenTwoReads.calls.clear();

      Page page = events.page(selector, NOW, Optional.empty(), true);

      assertThat(page.entries()).hasSize(100);
      assertThat(betweenTwoReads.calls).as("a query and the reads").hasSize(6);
      assertThat(all(selector, true)).containsExactlyElementsOf(ids);
    }
  }

  @Test
  void a_page_ends_early_if_its_payloads_are_large() {
    String payload = Payloads.incompressible(450_000);
    List<UUID> ids =
        Stream.generate(() -> store(keyed(payload), Optional.empty())).limit(21).toList();
    ErasureSelector selector = new ErasureSelector.Ids(ids);

    assertThat(events.page(selector, NOW, Optional.empty(), true).entries()).hasSize(20);
    assertThat(all(selector, true)).containsExactlyElementsOf(ids);
  }

  private static List<Map<String, AttributeValue>> items() {
    return service.dynamoDb().scanPaginator(scan -> scan.tableName(table)).items().stream()
        .toList();
  }

  private static String idOf(Map<String, AttributeValue> item) {
    return requireNonNull(item.get("id")).s();
  }
}
