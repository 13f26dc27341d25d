package dev.connectorevents.dynamodb.erasure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromN;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.Promise;
import dev.connectorevents.dynamodb.FakeDynamoDb;
import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.dynamodb.events.BetweenTwoReads;
import dev.connectorevents.dynamodb.events.DynamoEvents;
import dev.connectorevents.dynamodb.events.EventWriter;
import dev.connectorevents.dynamodb.events.ItemSize;
import dev.connectorevents.emulator.Endpoint;
import dev.connectorevents.emulator.Stores;
import dev.connectorevents.erasure.ErasableEvent;
import dev.connectorevents.erasure.ErasableEvents;
import dev.connectorevents.erasure.ErasableEvents.EraseOutcome;
import dev.connectorevents.erasure.ErasableEvents.Page;
import dev.connectorevents.erasure.ErasableEvents.Search;
import dev.connectorevents.erasure.ErasableEvents.Source;
import dev.connectorevents.erasure.ErasableEventsTest;
import dev.connectorevents.erasure.ErasureSelector;
import dev.connectorevents.event.EventToStore;
import dev.connectorevents.event.Payloads;
import dev.connectorevents.event.RetentionRules;
import dev.connectorevents.event.Timestamp;
import dev.connectorevents.feed.FeedReader;
import dev.connectorevents.feed.InMemoryFeed;
import dev.connectorevents.feed.Segment;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIf;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

@DisabledIf(
    value = "dev.connectorevents.emulator.Endpoint#isMoto",
    disabledReason = Endpoint.MOTO_ITEM_SIZE)
@Order(1)
class DynamoErasableEventsTest extends ErasableEventsTest {

  @AutoClose private static final Stores service = Endpoint.stores(Path.of("../template.yaml"));
  private static final String table = service.name("EventsTable");
  private static final EventWriter writer = new EventWriter(service.dynamoDb(), table);

  private static final BetweenTwoReads betweenTwoReads = new BetweenTwoReads();

  @AutoClose
  private static final DynamoDbClient dynamoDb =
      service.settings().dynamoDbClient(client -> client.addExecutionInterceptor(betweenTwoReads));

  private final InMemoryFeed feed = new InMemoryFeed();
  private final DynamoErasableEvents events = events(dynamoDb);

  private DynamoErasableEvents events(DynamoDbClient client) {
    return new DynamoErasableEvents(client, table, feed, clock, pause -> {});
  }

  @ParameterizedTest
  @CsvSource({
    "IDS, -1 2 x ''",
    "BRAND, 8 -1 x 0_x_y feed feed5 ''",
    "BRAND, 0_2026-11-20T12:00:00.123Z_x 0_9999-01-01T00:00:00.000Z_0197f3a0-0000-7000-8000-00000000000b",
    "WITHOUT_BRAND, 0 x_a feed-1_a feed9223372036854775807_a 9223372036854775807_a ''",
    "SENDER, 1 feed-1 feedx feed9223372036854775807 ''"
  })
  void a_place_that_a_caller_has_made_up_is_none(String kind, String places) {
    ErasureSelector selector =
        switch (kind) {
          case "IDS" -> new ErasureSelector.Ids(List.of(ERASURE));
          case "BRAND" -> new ErasureSelector.Brand(brand);
          case "WITHOUT_BRAND" -> new ErasureSelector.WithoutBrand(brand);
          default -> new ErasureSelector.Sender(SENDER, Optional.empty());
        };
    Search search = new Search(selector, Timestamp.EARLIEST, NOW, false, new Source.AsItIs());
    for (String place : places.split(" ", -1)) {
      Optional<String> after = Optional.of(place.replace('_', ' ').replace("''", ""));
      assertThatThrownBy(() -> events.page(search, after))
          .as(place)
          .isInstanceOf(ErasableEvents.UnknownPlaceException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 101, 3_000})
  void a_scan_begins_after_no_id_that_is_none(int length) {
    Search scan =
        new Search(new ErasureSelector.All(), Timestamp.EARLIEST, NOW, false, new Source.AsItIs());

    assertThatThrownBy(() -> events.page(scan, Optional.of("x".repeat(length))))
        .isInstanceOf(ErasableEvents.UnknownPlaceException.class);
  }

  @Override
  protected ErasableEvents events() {
    return events;
  }

  @Override
  protected void put(EventToStore toStore, Duration retention) {
    put(toStore, retention, new Random());
  }

  /**
   * @param lanes draws the event's lane
   */
  private void put(EventToStore toStore, Duration retention, RandomGenerator lanes) {
    put(toStore, retention, lanes, toStore.createdAt());
  }

  /**
   * @param numbered when the event gets its position
   */
  private void put(
      EventToStore toStore, Duration retention, RandomGenerator lanes, Instant numbered) {
    new DynamoEvents(service.dynamoDb(), table, lanes, RetentionRules.parse("", retention))
        .store(toStore);
    feed.append(numbered, InMemoryFeed.entry(toStore));
  }

  @BeforeEach
  void emptyTable() {
    writer.clear();
  }

  @Test
  @Promise("An erased event leaves a tombstone")
  void an_erased_event_with_a_key_leaves_its_id_and_the_erasure_at_its_time_for_ever() {
    UUID id = store(keyed("{}"), Optional.of(Duration.ofDays(1)));

    ErasableEvent read = read(id);
    assertThat(events.erase(read, ERASURE)).isEqualTo(EraseOutcome.ERASED);
    clock.advance(Duration.ofSeconds(1));
    events.erase(read, UUID.randomUUID());

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
  @Promise({
    "if it was sent without a key, `expires_at`, 35 days ahead.",
    "The entry stays for as long as the tombstone: at least 35 days."
  })
  void the_tombstone_of_an_event_without_a_key_has_an_end() {
    UUID id = store(toStore(UUID.randomUUID(), CREATED, "{}", false), Optional.empty());

    events.erase(read(id), ERASURE);

    Instant end = NOW.plus(Duration.ofDays(35)).truncatedTo(ChronoUnit.SECONDS);
    assertThat(events.stored(id))
        .hasValue(new ErasableEvents.Stored.OfTombstone(NOW, ERASURE, Optional.of(end)));
    assertThat(items().getFirst()).containsEntry("expires_at", fromN("" + end.getEpochSecond()));
  }

  @Test
  @Promise("An erased event leaves a tombstone")
  void all_parts_of_a_large_event_are_erased_with_it_at_once_and_other_events_stay() {
    UUID large = store(keyed(Payloads.random(2_000_000)), Optional.empty());
    UUID other = store(keyed(Payloads.random(1_000_000)), Optional.empty());
    List<Map<String, AttributeValue>> others =
        items().stream().filter(item -> idOf(item).startsWith(other.toString())).toList();
    assertThat(items()).hasSizeGreaterThan(others.size() + 2);
    assertThat(events.stored(large))
        .hasValueSatisfying(it -> {
          assertThat(((ErasableEvents.Stored.OfEvent) it).items())
              .isEqualTo(items().size() - others.size());
          assertThat(it.expiresAt()).isEmpty();
        });
    assertThat(events.stored(UUID.randomUUID())).isEmpty();

    betweenTwoReads.calls.clear();

    events.erase(read(large), ERASURE);

    assertThat(betweenTwoReads.calls)
        .filteredOn(TransactWriteItemsRequest.class::isInstance)
        .hasSize(1);
    assertThat(items())
        .hasSize(others.size() + 1)
        .containsAll(others)
        .filteredOn(item -> idOf(item).startsWith(large.toString()))
        .hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"30000000000", "100", "0", "-1", "1.5"})
  void an_event_whose_number_of_parts_is_damaged_cannot_be_judged_and_is_erased_whole(
      String parts) {
    UUID id = store(keyed(Payloads.random(1_000_000)), Optional.empty());
    writer.set(id, "parts", fromN(parts));
    ErasableEvent damaged = read(id);

    assertThatIOException().isThrownBy(() -> events.payload(damaged));
    assertThat(events.erase(damaged, ERASURE)).isEqualTo(EraseOutcome.ERASED);

    assertThat(items()).hasSize(1);
  }

  @Test
  @Promise("an event whose retention had passed, which is deleted")
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
  void the_index_leaves_out_an_event_that_took_the_id_of_one_of_the_brand() {
    EventToStore ofBrand = ofBrand(brand, CREATED);
    UUID id = store(ofBrand, Optional.of(Duration.ofSeconds(10)));
    betweenTwoReads.once(
        () -> store(toStore(id, CREATED.plusSeconds(30), "{}", true), Optional.empty()));

    assertThat(ids(events, new Source.AsItIs())).isEmpty();
  }

  @Test
  void a_page_has_a_hundred_events_in_five_reads_and_the_next_one_goes_on() {
    List<UUID> ids = new ArrayList<>();
    for (int i = 0; i < 130; i++) {
      EventToStore sent = ofBrand(brand, CREATED.plusMillis(i));
      put(sent, Duration.ZERO, () -> 0);
      ids.add(sent.id());
    }
    for (ErasureSelector selector :
        List.of(
            new ErasureSelector.Brand(brand),
            new ErasureSelector.Sender(SENDER, Optional.empty()))) {
      betweenTwoReads.calls.clear();
      Page page = events.page(search(selector), Optional.empty());

      assertThat(page.entries()).hasSize(100);
      assertThat(betweenTwoReads.calls)
          .filteredOn(BatchGetItemRequest.class::isInstance)
          .hasSize(5);
      assertThat(all(selector, true)).containsExactlyElementsOf(ids);
    }
  }

  @Test
  @DisabledIfSystemProperty(
      named = Endpoint.PROPERTY,
      matches = ".*",
      disabledReason = "only DynamoDB Local reports the capacity that DynamoDB consumes")
  @Promise("and what that has cost of `EventsTable` and its index")
  void what_a_search_reads_is_told_in_read_units() throws IOException {
    EventToStore sent = ofBrand(brand, CREATED);
    put(sent, Duration.ZERO, () -> 0);
    UUID large = store(keyed(Payloads.random(1_000_000)), Optional.empty());

    long bytes = items().stream().map(Item::new).mapToLong(ItemSize::of).sum();
    assertThat(readUnits(each -> each.page(search(new ErasureSelector.All()), Optional.empty())))
        .as("a scan reads each byte, 4 KB for one unit")
        .isCloseTo(bytes / 4_096.0, within(1.0));
    assertThat(
            readUnits(each ->
                each.page(search(new ErasureSelector.Ids(List.of(sent.id()))), Optional.empty())))
        .isEqualTo(1);
    assertThat(
            readUnits(
                each -> each.page(search(new ErasureSelector.Brand(brand)), Optional.empty())))
        .as("half a unit for the entry of the first lane, and one for the event")
        .isEqualTo(1.5);
    assertThat(readUnits(each -> each.payload(read(large)).orElseThrow().close()))
        .as("the parts after the first item")
        .isPositive();
  }

  private interface Use {
    void of(ErasableEvents events) throws IOException;
  }

  private double readUnits(Use use) throws IOException {
    DoubleAdder units = new DoubleAdder();
    use.of(events.metered(units::add));
    return units.sum();
  }

  private Search search(ErasureSelector selector) {
    return new Search(selector, Timestamp.EARLIEST, NOW, true, upToHead());
  }

  @Override
  protected long head() {
    return feed.last().map(Segment::last).orElse(0L);
  }

  @Test
  @Promise("it reads what the feed has since an hour before it")
  void what_the_index_of_brands_lacks_comes_from_the_feed_since_an_hour_before() {
    store(ofBrand(brand, NOW.minusSeconds(3_700)), Optional.empty());
    UUID late = store(ofBrand(brand, NOW.minusSeconds(3_500)), Optional.empty());
    store(ofBrand(brand + "x", CREATED), Optional.empty());
    DynamoErasableEvents withoutIndex = events(new EmptyIndex(service.dynamoDb()));

    assertThat(ids(withoutIndex, upToHead())).containsExactly(late);
    assertThat(ids(withoutIndex, new Source.AsItIs())).as("as it is").isEmpty();

    UUID later = store(ofBrand(brand, NOW.minusMillis(1)), Optional.empty());
    assertThat(ids(withoutIndex, upToHead())).containsExactly(late, later);
  }

  /** By a clock that is slow by a minute, and after a restore. */
  @Test
  void a_sender_selects_what_it_sent_in_a_time_whenever_that_got_its_position() {
    EventToStore early = keyed("{}");
    EventToStore late = keyed("{}");
    put(early, Duration.ZERO, new Random(), CREATED.minusSeconds(60));
    put(late, Duration.ZERO, new Random(), NOW.plus(Duration.ofDays(9)));

    assertThat(
            all(
                new ErasureSelector.Sender(SENDER, Optional.empty()),
                CREATED,
                CREATED.plusMillis(1),
                false))
        .containsExactly(early.id(), late.id());
  }

  @Test
  void a_feed_that_is_made_anew_stops_the_search() {
    store(keyed("{}"), Optional.empty());
    Source other = upTo(Optional.of("deadbeef"));
    ErasureSelector sent = new ErasureSelector.Sender(SENDER, Optional.empty());

    assertThatThrownBy(() ->
            events.page(new Search(sent, Timestamp.EARLIEST, NOW, false, other), Optional.empty()))
        .isInstanceOf(ErasableEvents.OtherFeedException.class);
  }

  private List<UUID> ids(DynamoErasableEvents of, Source source) {
    List<UUID> ids = new ArrayList<>();
    Optional<String> after = Optional.empty();
    Page page;
    do {
      page =
          of.page(
              new Search(
                  new ErasureSelector.Brand(brand),
                  Timestamp.EARLIEST,
                  NOW.plus(FeedReader.CLOCKS), // the beginning, and by how much clocks may differ
                  true,
                  source),
              after);
      page.entries().forEach(entry -> ids.add(entry.event().id()));
      after = page.next();
    } while (after.isPresent());
    return ids;
  }

  /** An index that has nothing yet, of a table that has all. */
  private record EmptyIndex(DynamoDbClient table) implements FakeDynamoDb {

    @Override
    public QueryResponse query(QueryRequest query) {
      return QueryResponse.builder().items(List.of()).build();
    }

    @Override
    public BatchGetItemResponse batchGetItem(BatchGetItemRequest read) {
      return table.batchGetItem(read);
    }
  }

  @Test
  void a_page_ends_early_if_its_payloads_are_large() {
    String payload = Payloads.incompressible(450_000);
    List<UUID> ids =
        Stream.generate(() -> store(keyed(payload), Optional.empty())).limit(21).toList();
    ErasureSelector selector = new ErasureSelector.Ids(ids);

    assertThat(events.page(search(selector), Optional.empty()).entries()).hasSize(20);
    assertThat(all(selector, true)).containsExactlyElementsOf(ids);
  }

  private static List<Map<String, AttributeValue>> items() {
    return writer.items();
  }

  private static String idOf(Map<String, AttributeValue> item) {
    return requireNonNull(item.get("id")).s();
  }
}
