package dev.connectorevents.dynamodb.events;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.AdjustableClock;
import dev.connectorevents.SideBySide;
import dev.connectorevents.dynamodb.Calls;
import dev.connectorevents.emulator.Endpoint;
import dev.connectorevents.emulator.Stores;
import dev.connectorevents.event.Deliveries;
import dev.connectorevents.event.Delivery;
import dev.connectorevents.event.EventPage;
import dev.connectorevents.event.EventPosition;
import dev.connectorevents.event.EventQuery;
import dev.connectorevents.event.EventType;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

class DynamoEventListTest {

  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

  @AutoClose private static final Stores service = Endpoint.stores(Path.of("../template.yaml"));
  private static final String table = service.name("EventsTable");
  private static final Calls CALLS = new Calls();
  private static final BetweenTwoReads betweenTwoReads = new BetweenTwoReads();

  @AutoClose
  private static final DynamoDbClient dynamoDb =
      service
          .settings()
          .dynamoDbClient(client ->
              client.addExecutionInterceptor(CALLS).addExecutionInterceptor(betweenTwoReads));

  private final EventWriter writer = new EventWriter(service.dynamoDb(), table);
  private final Tombstones tombstones = new Tombstones(service.dynamoDb(), table);
  private final AdjustableClock clock = new AdjustableClock("2026-11-20T13:00:00Z");
  private final DynamoEventList list =
      new DynamoEventList(
          dynamoDb, table, clock, new SideBySide(Thread::startVirtualThread, 8), pause -> {});

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 10, 100})
  void pages_of_any_size_make_the_same_list_at_equal_timestamps_too(int limit) {
    String type = "pages.of-" + limit;
    Random random = new Random(limit);
    List<EventPosition> stored = new ArrayList<>();
    for (int i = 0; i < 12 + limit; i++) {
      stored.add(writer.store(type, Optional.empty(), NOON.plusMillis(random.nextInt(6))));
    }
    Collections.sort(stored);

    assertThat(all(ofType(type), limit)).isEqualTo(stored);
  }

  @Test
  void a_millisecond_may_have_more_events_than_a_query_returns() {
    List<EventPosition> stored = new ArrayList<>();
    stored.add(writer.store("one.millisecond", Optional.empty(), NOON.minusMillis(1)));
    for (int i = 0; i < 32; i++) {
      stored.add(writer.store("one.millisecond", Optional.empty(), NOON));
    }
    stored.add(writer.store("one.millisecond", Optional.empty(), NOON.plusMillis(1)));
    Collections.sort(stored);

    assertThat(all(ofType("one.millisecond"), 2)).isEqualTo(stored);
  }

  @Test
  void an_old_event_of_one_shard_does_not_overtake_those_that_another_has_not_returned() {
    List<EventPosition> stored = new ArrayList<>();
    stored.add(writer.store(inShard(1, 1), "uneven.shards", NOON.plusMillis(9)));
    for (int i = 0; i < 5; i++) {
      stored.add(writer.store(inShard(0, i), "uneven.shards", NOON.plusMillis(10)));
    }
    stored.add(writer.store(inShard(0, 5), "uneven.shards", NOON.plusMillis(12)));
    Collections.sort(stored);

    assertThat(all(ofType("uneven.shards"), 2)).isEqualTo(stored);
  }

  private static UUID inShard(int shard, long number) {
    return new UUID(number, Long.MIN_VALUE + shard);
  }

  @Test
  void a_full_page_takes_a_query_for_each_shard_and_one_batch_read() {
    for (int i = 0; i < 110; i++) {
      writer.store("calls.counted", Optional.empty(), NOON.plusMillis(i));
    }
    CALLS.names.clear();

    EventPage page = list.list(ofType("calls.counted"), Optional.empty(), 100);

    assertThat(page.events()).hasSize(100);
    assertThat(page.continueAfter()).isPresent();
    assertThat(CALLS.names).hasSize(9).filteredOn("QueryRequest"::equals).hasSize(8);
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "-, -, 5",
        "2026-11-20T12:00:00.001Z, -, 4",
        "2026-11-20T12:00:00.000000001Z, -, 4",
        "-, 2026-11-20T12:00:00.004Z, 4",
        "-, 2026-11-20T12:00:00.003000001Z, 4",
        "2026-11-20T12:00:00.001Z, 2026-11-20T12:00:00.002Z, 1",
        "2026-11-20T12:00:00.001Z, 2026-11-20T12:00:00.001Z, 0",
        "2026-11-20T12:00:01Z, 2026-11-20T12:00:00Z, 0",
        "0000-01-01T00:00:00Z, 9999-12-31T23:59:59.999999999Z, 5",
      })
  void a_list_begins_at_from_and_ends_before_to(Instant from, Instant to, int events) {
    String type = "range." + UUID.randomUUID();
    for (int i = 0; i < 5; i++) {
      writer.store(type, Optional.empty(), NOON.plusMillis(i));
    }
    EventQuery query =
        new EventQuery(
            new EventQuery.OfType(new EventType(type)),
            Optional.ofNullable(from),
            Optional.ofNullable(to));

    assertThat(all(query, 2)).hasSize(events);
  }

  @ParameterizedTest
  @ValueSource(strings = {"key.a", "key.a#0", "key.a#0#0", "key.a#", "key.a b/c", "key.a=1"})
  void a_type_that_looks_like_a_key_of_another_has_its_own_list(String type) {
    EventPosition event = writer.store(type, Optional.empty(), NOON);

    assertThat(all(ofType(type), 1)).containsExactly(event);
    assertThat(list.list(ofType(type), Optional.empty(), 1).events())
        .extracting(listed -> listed.event().type().value())
        .containsExactly(type);
  }

  @ParameterizedTest
  @ValueSource(strings = {"brand-7", "a#0", "é 你"})
  void a_brand_has_its_own_list(String brand) {
    EventPosition first = writer.store("a.b", Optional.of(brand), NOON);
    EventPosition second = writer.store("c.d", Optional.of(brand), NOON.plusMillis(1));
    writer.store("a.b", Optional.of(brand + "x"), NOON);
    writer.store("a.b", Optional.empty(), NOON);

    assertThat(
            all(
                new EventQuery(new EventQuery.OfBrand(brand), Optional.empty(), Optional.empty()),
                1))
        .containsExactly(second, first);
  }

  @Test
  void a_list_shows_each_field_of_a_delivery_but_the_response() {
    writer.store("fields.listed", Optional.empty(), NOON);
    Map<String, Object> shown = new HashMap<>();
    Deliveries.FULL.forEach(shown::put);
    shown.remove(Delivery.RESPONSE);

    Map<String, Object> listed = new HashMap<>();
    EventPage page = list.list(ofType("fields.listed"), Optional.empty(), 1);
    page.events().getFirst().event().delivery().forEach(listed::put);

    assertThat(listed).isEqualTo(shown);
  }

  @Test
  void an_event_past_its_retention_is_left_out() {
    EventQuery query = ofType("retention.passed");
    writer.store(
        UUID.randomUUID(),
        "retention.passed",
        Optional.empty(),
        NOON,
        Optional.of(Duration.ofHours(2)));
    assertThat(all(query, 10)).hasSize(1);

    clock.advance(Duration.ofHours(1));

    assertThat(all(query, 10)).isEmpty();
  }

  @Test
  void a_deleted_event_is_left_out_and_the_list_goes_on() {
    EventPosition oldest = writer.store("deleted.between", Optional.empty(), NOON);
    EventPosition newest = writer.store("deleted.between", Optional.empty(), NOON.plusMillis(2));
    EventPage first = list.list(ofType("deleted.between"), Optional.empty(), 1);
    service
        .dynamoDb()
        .deleteItem(it -> it.tableName(table).key(Map.of("id", fromS(newest.id().toString()))));

    assertThat(first.continueAfter()).hasValue(newest);
    assertThat(list.list(ofType("deleted.between"), first.continueAfter(), 1).events())
        .extracting(entry -> entry.event().id())
        .containsExactly(oldest.id());
  }

  /**
   * Erases events after the first page's queries have found them, as if an index lagged.
   *
   * <p>Columns: the numbers of the erased events, and of the events on each page.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          5         | 4   / 3 2 / 1
          4         | 5   / 3 2 / 1
          5 4       |     / 3 2 / 1
          3 2       | 5 4 / 1
          1         | 5 4 / 3 2
          5 4 3 2 1 |     /
          """)
  void erased_events_are_left_out_and_their_pages_are_short(String erased, String pages) {
    String name = "erased." + UUID.randomUUID();
    List<String> expected = Stream.of(pages.split("/", -1)).map(String::strip).toList();

    assertThat(pagesWhileErased(new EventQuery.OfType(new EventType(name)), erased))
        .isEqualTo(expected);
    assertThat(pagesWhileErased(new EventQuery.OfBrand(name + "-brand"), erased))
        .isEqualTo(expected);
  }

  /**
   * Stores events with the numbers 1 to 5, and lists them with two events a page.
   *
   * @param erased the numbers of the events to erase after the first page's queries
   * @return the numbers of the events on each page
   */
  private List<String> pagesWhileErased(EventQuery.Filter filter, String erased) {
    Map<UUID, String> numbers = new HashMap<>();
    for (int i = 1; i <= 5; i++) {
      Optional<String> brand = Optional.of(filter.value());
      UUID id = inShard(i, UUID.randomUUID().getMostSignificantBits());
      writer.store(id, filter.value(), brand, NOON.plusMillis(i), Optional.empty());
      numbers.put(id, "" + i);
    }
    betweenTwoReads.once(() ->
        numbers.forEach((id, number) -> {
          if (erased.contains(number)) {
            tombstones.put(id);
          }
        }));
    return pages(new EventQuery(filter, Optional.empty(), Optional.empty()), 2).stream()
        .map(page ->
            page.stream()
                .map(event -> requireNonNull(numbers.get(event.id())))
                .collect(Collectors.joining(" ")))
        .toList();
  }

  private static EventQuery ofType(String type) {
    return new EventQuery(
        new EventQuery.OfType(new EventType(type)), Optional.empty(), Optional.empty());
  }

  private List<EventPosition> all(EventQuery query, int limit) {
    return pages(query, limit).stream().flatMap(List::stream).toList();
  }

  private List<List<EventPosition>> pages(EventQuery query, int limit) {
    List<List<EventPosition>> pages = new ArrayList<>();
    Optional<EventPosition> next = Optional.empty();
    do {
      EventPage page = list.list(query, next, limit);
      assertThat(page.events()).hasSizeLessThanOrEqualTo(limit);
      pages.add(
          page.events().stream()
              .map(EventPage.ListedEvent::event)
              .map(event -> new EventPosition(event.createdAt(), event.id()))
              .toList());
      next = page.continueAfter();
    } while (next.isPresent());
    return pages;
  }

  /** Records the class name of each request. */
  private static final class Calls implements ExecutionInterceptor {

    private final ConcurrentLinkedQueue<String> names = new ConcurrentLinkedQueue<>();

    @Override
    public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
      names.add(context.request().getClass().getSimpleName());
    }
  }
}
