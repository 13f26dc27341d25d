package dev.connectorevents.dynamodb.events;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromN;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.emulator.Endpoint;
import dev.connectorevents.emulator.Stores;
import dev.connectorevents.event.Deliveries;
import dev.connectorevents.event.ErasableEvent;
import dev.connectorevents.event.ErasableEvents.Entry;
import dev.connectorevents.event.ErasableEvents.EraseOutcome;
import dev.connectorevents.event.ErasableEvents.Page;
import dev.connectorevents.event.ErasureSelector;
import dev.connectorevents.event.EventQuery;
import dev.connectorevents.event.EventToStore;
import dev.connectorevents.event.EventType;
import dev.connectorevents.event.Fingerprint;
import dev.connectorevents.event.Meta;
import dev.connectorevents.event.Payload;
import dev.connectorevents.event.RetentionRules;
import dev.connectorevents.event.Sha256;
import dev.connectorevents.event.WebhookEvent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
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
class DynamoErasableEventsTest {

  private static final Instant CREATED = Instant.parse("2026-11-20T12:00:00.123Z");
  private static final Instant NOW = CREATED.plusSeconds(60);
  private static final UUID ERASURE = UUID.fromString("0197f3a0-0000-7000-8000-000000000001");

  @AutoClose private static final Stores service = Endpoint.stores(Path.of("../template.yaml"));
  private static final String table = service.name("EventsTable");

  private static final BetweenTwoReads betweenTwoReads = new BetweenTwoReads();

  @AutoClose
  private static final DynamoDbClient dynamoDb =
      service.settings().dynamoDbClient(client -> client.addExecutionInterceptor(betweenTwoReads));

  private final DynamoErasableEvents events =
      new DynamoErasableEvents(dynamoDb, table, pause -> {});

  private final String brand = UUID.randomUUID().toString();

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
  void an_erased_event_with_a_key_leaves_its_id_and_the_erasure_for_ever() {
    UUID id = store(keyed("{}"), Optional.of(Duration.ofDays(1)));

    assertThat(events.erase(read(id), ERASURE, NOW)).isEqualTo(EraseOutcome.ERASED);

    assertThat(items())
        .containsExactly(
            Map.of(
                "id",
                fromS(id.toString()),
                "erased_at",
                fromS("2026-11-20T12:01:00.123Z"),
                "erasure_id",
                fromS(ERASURE.toString())));
  }

  @Test
  void the_tombstone_of_an_event_without_a_key_has_an_end() {
    UUID id = store(toStore(UUID.randomUUID(), CREATED, "{}", false), Optional.empty());

    events.erase(read(id), ERASURE, NOW);

    Instant end = NOW.plus(Duration.ofDays(35));
    assertThat(items().getFirst()).containsEntry("expires_at", fromN("" + end.getEpochSecond()));
  }

  @Test
  void all_parts_of_a_large_event_are_erased_with_it_and_other_events_stay() {
    UUID large = store(keyed(Payloads.random(2_000_000)), Optional.empty());
    UUID other = store(keyed(Payloads.random(1_000_000)), Optional.empty());
    List<Map<String, AttributeValue>> others =
        items().stream().filter(item -> idOf(item).startsWith(other.toString())).toList();
    assertThat(items()).hasSizeGreaterThan(others.size() + 2);

    events.erase(read(large), ERASURE, NOW);

    assertThat(items())
        .hasSize(others.size() + 1)
        .containsAll(others)
        .filteredOn(item -> idOf(item).startsWith(large.toString()))
        .hasSize(1);
  }

  @Test
  void an_expired_event_is_deleted_with_its_parts_and_leaves_nothing() {
    UUID id = store(keyed(Payloads.random(1_000_000)), Optional.of(Duration.ofSeconds(10)));

    assertThat(events.erase(read(id), ERASURE, NOW)).isEqualTo(EraseOutcome.EXPIRED);

    assertThat(items()).isEmpty();
  }

  @Test
  void an_event_that_was_replaced_since_it_was_read_is_not_erased() {
    for (String[] payloads :
        new String[][] {
          {"{}", "{\"n\":1}"},
          {"{}", Payloads.random(1_000_000)},
          {Payloads.random(1_000_000), "{}"}
        }) {
      EventToStore first = keyed(payloads[0]);
      UUID id = store(first, Optional.of(Duration.ofSeconds(10)));
      ErasableEvent read = read(id);
      EventToStore second = toStore(id, CREATED.plusSeconds(30), payloads[1], true);
      store(second, Optional.empty());
      List<Map<String, AttributeValue>> before = items();

      assertThat(events.erase(read, ERASURE, NOW)).isEqualTo(EraseOutcome.CHANGED);

      assertThat(items()).containsExactlyInAnyOrderElementsOf(before);
      emptyTable();
    }
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

    assertThat(events.erase(read, ERASURE, NOW)).isEqualTo(EraseOutcome.CHANGED);
  }

  @Test
  void an_event_is_erased_once() {
    UUID id = store(keyed("{}"), Optional.empty());
    ErasableEvent read = read(id);
    events.erase(read, ERASURE, NOW);
    List<Map<String, AttributeValue>> before = items();

    assertThat(events.erase(read, UUID.randomUUID(), NOW.plusSeconds(1)))
        .isEqualTo(EraseOutcome.CHANGED);
    assertThat(events.read(id)).isEmpty();
    assertThat(items()).isEqualTo(before);
  }

  @Test
  void ids_select_events_and_count_those_that_have_neither_event_nor_tombstone() {
    UUID stored = store(keyed("{}"), Optional.empty());
    UUID erased = store(keyed("{}"), Optional.empty());
    events.erase(read(erased), ERASURE, NOW);
    UUID younger = store(toStore(UUID.randomUUID(), NOW, "{}", true), Optional.empty());

    Page page =
        events.page(
            new ErasureSelector.Ids(List.of(stored, erased, younger, UUID.randomUUID())),
            NOW,
            Optional.empty(),
            false);

    assertThat(page.entries()).extracting(entry -> entry.event().id()).containsExactly(stored);
    assertThat(page.absent()).isEqualTo(1);
    assertThat(page.next()).isEmpty();
    assertThat(events.erased(List.of(stored, erased, younger))).containsExactly(erased);
  }

  @Test
  void a_brand_selects_its_events_of_all_shards_in_pages() {
    Set<UUID> ofBrand = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      ofBrand.add(store(ofBrand(brand, CREATED.plusMillis(i % 7)), Optional.empty()));
    }
    store(ofBrand(brand + "x", CREATED), Optional.empty());
    store(ofBrand(brand, NOW), Optional.empty());
    store(keyed("{}"), Optional.empty());
    ErasureSelector selector = new ErasureSelector.Brand(new EventQuery.OfBrand(brand));

    for (boolean hasPayloads : new boolean[] {false, true}) {
      assertThat(all(selector, hasPayloads)).containsExactlyInAnyOrderElementsOf(ofBrand);
    }
  }

  @Test
  void a_page_may_begin_after_any_event_of_the_page_before() {
    List<UUID> stored = new ArrayList<>();
    for (int i = 0; i < 23; i++) {
      stored.add(store(ofBrand(brand, CREATED.plusMillis(i % 3)), Optional.empty()));
    }
    for (ErasureSelector selector :
        List.of(
            new ErasureSelector.Ids(stored),
            new ErasureSelector.Brand(new EventQuery.OfBrand(brand)),
            new ErasureSelector.All())) {
      assertThat(all(selector, true, 3)).containsExactlyInAnyOrderElementsOf(stored);
    }
  }

  @Test
  void a_brand_does_not_select_an_event_that_took_the_id_of_one_of_its_own() {
    EventToStore ofBrand = ofBrand(brand, CREATED);
    UUID id = store(ofBrand, Optional.of(Duration.ofSeconds(10)));
    betweenTwoReads.once(
        () -> store(toStore(id, CREATED.plusSeconds(30), "{}", true), Optional.empty()));

    assertThat(all(new ErasureSelector.Brand(new EventQuery.OfBrand(brand)), false)).isEmpty();
  }

  @Test
  void a_scan_selects_all_events_but_no_parts_and_no_tombstones() {
    UUID large = store(keyed(Payloads.random(3_000_000)), Optional.empty());
    UUID small = store(keyed("{}"), Optional.empty());
    events.erase(read(store(keyed("{}"), Optional.empty())), ERASURE, NOW);
    store(toStore(UUID.randomUUID(), NOW, "{}", true), Optional.empty());

    assertThat(all(new ErasureSelector.All(), true)).containsExactlyInAnyOrder(large, small);
  }

  @Test
  void the_payload_is_read_as_it_was_stored() throws IOException {
    for (String payload :
        List.of(
            "{\"é\":1.0}", "{\"a\":\"" + "x".repeat(9_000) + "\"}", Payloads.random(2_000_000))) {
      UUID id = store(keyed(payload), Optional.empty());

      assertThat(new String(events.payload(read(id)).orElseThrow().readAllBytes(), UTF_8))
          .isEqualTo(payload);
    }
  }

  @Test
  void the_payload_of_an_event_that_was_erased_meanwhile_is_not_there() throws IOException {
    UUID id = store(keyed(Payloads.random(2_000_000)), Optional.empty());
    ErasableEvent read = read(id);
    events.erase(read, ERASURE, NOW);

    assertThat(events.payload(read)).isEmpty();
  }

  private ErasableEvent read(UUID id) {
    return events.read(id).orElseThrow();
  }

  private List<UUID> all(ErasureSelector selector, boolean hasPayloads) {
    return all(selector, hasPayloads, Integer.MAX_VALUE);
  }

  /** Reads page by page, and uses only the first events of each. */
  private List<UUID> all(ErasureSelector selector, boolean hasPayloads, int mostOfPage) {
    List<UUID> ids = new ArrayList<>();
    Optional<String> after = Optional.empty();
    do {
      Page page = events.page(selector, NOW, after, hasPayloads);
      List<Entry> used = page.entries().stream().limit(mostOfPage).toList();
      used.forEach(entry -> ids.add(entry.event().id()));
      after =
          used.size() < page.entries().size() ? Optional.of(used.getLast().next()) : page.next();
    } while (after.isPresent());
    return ids;
  }

  private static UUID store(EventToStore toStore, Optional<Duration> retention) {
    new DynamoEvents(
            service.dynamoDb(),
            table,
            new Random(),
            RetentionRules.forAll(retention.orElse(Duration.ZERO)))
        .store(toStore);
    return toStore.event().id();
  }

  private static EventToStore keyed(String payload) {
    return toStore(UUID.randomUUID(), CREATED, payload, true);
  }

  private static EventToStore toStore(UUID id, Instant created, String payload, boolean hasKey) {
    return new EventToStore(
        new WebhookEvent(id, new EventType("shopify.orders/create"), Deliveries.FULL, created),
        new Payload(payload, new Meta(Map.of())),
        UUID.randomUUID(),
        hasKey ? Optional.of(fingerprint(payload)) : Optional.empty());
  }

  private static Fingerprint fingerprint(String payload) {
    return Fingerprint.of(ByteBuffer.wrap(Sha256.of(payload.getBytes(UTF_8))));
  }

  private static EventToStore ofBrand(String name, Instant created) {
    EventToStore plain = toStore(UUID.randomUUID(), created, "{}", true);
    return new EventToStore(
        plain.event(),
        new Payload("{}", new Meta(Map.of("brand_id", name))),
        plain.userId(),
        plain.fingerprint());
  }

  private static List<Map<String, AttributeValue>> items() {
    return service.dynamoDb().scanPaginator(scan -> scan.tableName(table)).items().stream()
        .toList();
  }

  private static String idOf(Map<String, AttributeValue> item) {
    return requireNonNull(item.get("id")).s();
  }
}
