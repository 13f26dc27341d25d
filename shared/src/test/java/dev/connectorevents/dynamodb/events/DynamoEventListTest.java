package dev.connectorevents.dynamodb.events;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.AdjustableClock;
import dev.connectorevents.Json;
import dev.connectorevents.SideBySide;
import dev.connectorevents.emulator.Endpoint;
import dev.connectorevents.emulator.Stores;
import dev.connectorevents.event.Deliveries;
import dev.connectorevents.event.Delivery;
import dev.connectorevents.event.EventOrder;
import dev.connectorevents.event.EventPage;
import dev.connectorevents.event.EventPosition;
import dev.connectorevents.event.EventQuery;
import dev.connectorevents.event.EventTypes;
import dev.connectorevents.event.TestQuery;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

class DynamoEventListTest {

  @AutoClose private static final Stores service = Endpoint.stores(Path.of("../template.yaml"));
  private static final String table = service.name("EventsTable");
  private static final BetweenTwoReads betweenTwoReads = new BetweenTwoReads();

  @AutoClose
  private static final DynamoDbClient dynamoDb =
      service.settings().dynamoDbClient(client -> client.addExecutionInterceptor(betweenTwoReads));

  private static final Instant FIRST_DAY = Instant.parse("2026-01-01T12:00:00Z");
  private static int days;

  /** Each test has a day of its own: the index has the events of all tests. */
  private final Instant noon = FIRST_DAY.plus(Duration.ofDays(days++));

  private final EventWriter writer = new EventWriter(service.dynamoDb(), table);
  private final Tombstones tombstones = new Tombstones(service.dynamoDb(), table);
  private final AdjustableClock clock = new AdjustableClock(noon.plus(Duration.ofHours(1)) + "");
  private final DynamoEventList list =
      new DynamoEventList(
          dynamoDb, table, clock, new SideBySide(Thread::startVirtualThread, 8), pause -> {});

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 10, 100})
  void pages_of_any_size_make_the_same_list_at_equal_timestamps_too(int limit) {
    Random random = new Random(limit);
    List<EventPosition> stored = new ArrayList<>();
    for (int i = 0; i < 12 + limit; i++) {
      stored.add(writer.store("a.b", Optional.of("x"), noon.plusMillis(random.nextInt(6))));
    }
    for (EventOrder order : EventOrder.values()) {
      stored.sort(order.comparator());

      assertThat(all(ofDay("*").order(order), limit)).isEqualTo(stored);
      assertThat(all(ofDay("a.*").order(order).brand("x"), limit)).isEqualTo(stored);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_millisecond_may_have_more_events_than_a_query_returns(EventOrder order) {
    List<EventPosition> stored = new ArrayList<>();
    stored.add(writer.store("a.b", Optional.empty(), noon.minusMillis(1)));
    for (int i = 0; i < 64; i++) {
      stored.add(writer.store("a.b", Optional.empty(), noon));
    }
    stored.add(writer.store("a.b", Optional.empty(), noon.plusMillis(1)));
    stored.sort(order.comparator());

    assertThat(all(ofDay("*").order(order), 2)).isEqualTo(stored);
  }

  @ParameterizedTest
  @EnumSource
  void an_event_of_one_lane_does_not_overtake_those_that_another_has_not_returned(
      EventOrder order) {
    List<EventPosition> stored = new ArrayList<>();
    stored.add(writer.store(inLane(1, 1), "a.b", noon.plusMillis(9)));
    for (int i = 0; i < 5; i++) {
      stored.add(writer.store(inLane(0, i), "a.b", noon.plusMillis(10)));
    }
    stored.add(writer.store(inLane(0, 5), "a.b", noon.plusMillis(12)));
    stored.add(writer.store(inLane(1, 2), "a.b", noon.plusMillis(13)));
    stored.sort(order.comparator());

    assertThat(all(ofDay("*").order(order), 2)).isEqualTo(stored);
  }

  private UUID inLane(int lane, long number) {
    return new UUID(noon.getEpochSecond() << 16 | number, Long.MIN_VALUE + lane);
  }

  @Test
  void a_full_page_takes_a_query_for_each_lane_and_one_batch_read() {
    for (int i = 0; i < 110; i++) {
      writer.store(inLane(i % 8, i), "a.b", noon.plusMillis(i));
    }
    betweenTwoReads.calls.clear();

    EventPage page = page(ofDay("*"), Optional.empty(), 100);

    assertThat(page.entries()).hasSize(100);
    assertThat(page.hasMore()).isTrue();
    assertThat(betweenTwoReads.calls)
        .hasSize(9)
        .filteredOn(QueryRequest.class::isInstance)
        .hasSize(8);
  }

  @Test
  void a_filter_that_most_events_pass_is_cheap_and_a_rare_type_is_found_in_a_few_rounds() {
    for (int i = 0; i < 400; i++) {
      writer.store(inLane(i % 8, i), i == 0 ? "rare.type" : "a.b", noon.plusMillis(i));
    }
    betweenTwoReads.calls.clear();
    assertThat(page(ofDay("a.*"), Optional.empty(), 10).entries()).hasSize(10);
    assertThat(betweenTwoReads.calls).hasSize(9);
    betweenTwoReads.calls.clear();

    assertThat(page(ofDay("rare.type"), Optional.empty(), 10).entries()).hasSize(1);

    assertThat(betweenTwoReads.calls)
        .filteredOn(QueryRequest.class::isInstance)
        .extracting(query -> ((QueryRequest) query).limit())
        .containsOnly(4, 32, 256)
        .hasSize(24);
  }

  @Test
  void a_page_ends_when_its_search_takes_too_long_and_the_next_one_goes_on() {
    writer.store(inLane(0, 0), "rare.type", noon);
    for (int i = 1; i < 400; i++) {
      writer.store(inLane(i % 8, i), "a.b", noon.plusMillis(i));
    }
    AdjustableClock slow = new AdjustableClock(noon + "");
    DynamoEventList late =
        new DynamoEventList(
            dynamoDb,
            table,
            () -> {
              slow.advance(Duration.ofSeconds(3));
              return slow.instant();
            },
            new SideBySide(Thread::startVirtualThread, 8),
            pause -> {});
    EventQuery query = ofDay("rare.type").get();
    int pages = 0;
    int found = 0;
    Optional<EventPosition> next = Optional.empty();
    do {
      EventPage page = late.page(query, Optional.empty(), next, noon, 10);
      found += page.entries().size();
      next = page.next();
      pages++;
    } while (next.isPresent());

    assertThat(found).isEqualTo(1);
    assertThat(pages).isGreaterThan(10);
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "-, -, 5",
        "0.001, -, 4",
        "0.000000001, -, 4",
        "-, 0.004, 4",
        "-, 0.003000001, 4",
        "0.001, 0.002, 1",
        "0.001, 0.001, 0",
        "1, 0, 0",
      })
  void a_list_begins_at_from_and_ends_before_to(String from, String to, int events) {
    for (int i = 0; i < 5; i++) {
      writer.store("a.b", Optional.empty(), noon.plusMillis(i));
    }
    for (EventOrder order : EventOrder.values()) {
      TestQuery query = ofDay("*").order(order);
      Optional.ofNullable(from)
          .ifPresent(it -> query.from(noon.plus(Duration.parse("PT" + it + "S"))));
      Optional.ofNullable(to).ifPresent(it -> query.to(noon.plus(Duration.parse("PT" + it + "S"))));

      assertThat(all(query, 2)).hasSize(events);
    }
  }

  /** Columns: types asked for, scope, brand, and the numbers of the events that are listed. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          *                   | -       | - | 1 2 3 4 5 6
          a.b                 | -       | - | 1 2
          a.*                 | -       | - | 1 2 3
          a.b*                | -       | - | 1 2 3
          a.b,d.e             | -       | - | 1 2 5
          a.bc,d.*,g.h#i      | -       | - | 3 5 6
          x.y                 | -       | - |
          *                   | a.*,d.e | - | 1 2 3 5
          a.b*                | a.bc    | - | 3
          *                   | -       | 7 | 2 4
          a.*                 | -       | 7 | 2
          *                   | c.*     | 7 | 4
          *                   | -       | 8 |
          """)
  void types_scope_and_brand_must_all_hold(
      String types, String scope, String brand, String listed) {
    String seventh = noon + "-7";
    List<EventPosition> stored = new ArrayList<>();
    for (String event : List.of("a.b", "a.b 7", "a.bc", "c.d 7", "d.e", "g.h#i")) {
      Optional<String> ofBrand = event.endsWith(" 7") ? Optional.of(seventh) : Optional.empty();
      stored.add(writer.store(event.replace(" 7", ""), ofBrand, noon.plusMillis(stored.size())));
    }
    TestQuery query = ofDay(types).order(EventOrder.ASC);
    Optional.ofNullable(brand).ifPresent(name -> query.brand(noon + "-" + name));
    Optional<EventTypes> inScope = Optional.ofNullable(scope).flatMap(EventTypes::parse);

    assertThat(positions(list.page(query.get(), inScope, Optional.empty(), clock.instant(), 100)))
        .isEqualTo(
            Stream.of(Optional.ofNullable(listed).orElse("").split(" ", -1))
                .filter(number -> !number.isEmpty())
                .map(number -> stored.get(Integer.parseInt(number) - 1))
                .toList());
  }

  @ParameterizedTest
  @ValueSource(strings = {"brand-7", "a#0", "é 你"})
  void a_brand_has_its_own_list(String name) {
    String brand = name + noon;
    EventPosition first = writer.store("a.b", Optional.of(brand), noon);
    EventPosition second = writer.store("c.d", Optional.of(brand), noon.plusMillis(1));
    writer.store("a.b", Optional.of(brand + "x"), noon);
    writer.store("a.b", Optional.empty(), noon);

    assertThat(all(ofDay("*").brand(brand), 1)).containsExactly(second, first);
  }

  @Test
  void a_list_shows_each_field_of_a_delivery_but_the_response() {
    writer.store("a.b", Optional.empty(), noon);
    Map<String, Object> shown = new HashMap<>();
    Deliveries.FULL.forEach(shown::put);
    shown.remove(Delivery.RESPONSE);

    Map<String, Object> listed = new HashMap<>();
    EventPage page = page(ofDay("*"), Optional.empty(), 1);
    ((EventPage.ListedEvent) page.entries().getFirst()).event().delivery().forEach(listed::put);

    assertThat(listed).isEqualTo(shown);
  }

  @Test
  void an_event_past_its_retention_is_left_out() {
    writer.store(
        UUID.randomUUID(), "a.b", Optional.empty(), noon, Optional.of(Duration.ofHours(2)));
    assertThat(all(ofDay("*"), 10)).hasSize(1);

    clock.advance(Duration.ofHours(1));

    assertThat(all(ofDay("*"), 10)).isEmpty();
  }

  @Test
  void a_deleted_event_is_left_out_and_the_list_goes_on() {
    EventPosition oldest = writer.store("a.b", Optional.empty(), noon);
    EventPosition newest = writer.store("a.b", Optional.empty(), noon.plusMillis(2));
    EventPage first = page(ofDay("*"), Optional.empty(), 1);
    service
        .dynamoDb()
        .deleteItem(it -> it.tableName(table).key(Map.of("id", fromS(newest.id().toString()))));

    assertThat(first.next()).hasValue(newest);
    assertThat(positions(page(ofDay("*"), first.next(), 1))).containsExactly(oldest);
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
    List<String> expected = Stream.of(pages.split("/", -1)).map(String::strip).toList();

    assertThat(pagesWhileErased(ofDay("*"), erased)).isEqualTo(expected);
    days++;
    assertThat(pagesWhileErased(ofDay("*").brand(noon + ""), erased)).isEqualTo(expected);
  }

  /**
   * Stores events with the numbers 1 to 5, and lists them with two events a page.
   *
   * @param erased the numbers of the events to erase after the first page's queries
   * @return the numbers of the events on each page
   */
  private List<String> pagesWhileErased(TestQuery query, String erased) {
    Map<UUID, String> numbers = new HashMap<>();
    for (int i = 1; i <= 5; i++) {
      UUID id = inLane(i, ThreadLocalRandom.current().nextInt());
      writer.store(id, "a.b", Optional.of(noon + ""), noon.plusMillis(i), Optional.empty());
      numbers.put(id, "" + i);
    }
    betweenTwoReads.once(() ->
        numbers.forEach((id, number) -> {
          if (erased.contains(number)) {
            tombstones.put(id);
          }
        }));
    List<String> pages =
        pages(query, 2).stream()
            .map(page ->
                page.stream()
                    .map(event -> requireNonNull(numbers.get(event.id())))
                    .collect(Collectors.joining(" ")))
            .toList();
    numbers.keySet().forEach(tombstones::put);
    return pages;
  }

  @Test
  void an_erasure_is_listed_at_its_time_if_it_is_asked_for_whatever_the_types() {
    Instant erasedAt = Instant.parse(Tombstones.ERASED_AT);
    EventPosition stays = writer.store("a.b", Optional.empty(), erasedAt.minusMillis(1));
    EventPosition erased = writer.store("a.b", Optional.empty(), erasedAt.minusSeconds(9));
    tombstones.put(erased.id());
    for (String types : List.of("*", "a.b", "x.y")) {
      TestQuery query =
          TestQuery.ofTypes(types)
              .order(EventOrder.ASC)
              .from(erasedAt.minusSeconds(10))
              .to(erasedAt.plusMillis(1))
              .withErasures();
      List<EventPage.Entry> entries =
          feed(query.get(), Optional.empty(), erasedAt.plusSeconds(1)).entries();

      assertThat(entries).contains(new EventPage.ListedErasure(erased.id(), erasedAt));
      assertThat(entries)
          .filteredOn(EventPage.ListedEvent.class::isInstance)
          .hasSize(types.equals("x.y") ? 0 : 1);
    }
    assertThat(
            all(
                TestQuery.ofTypes("*").from(erasedAt.minusSeconds(10)).to(erasedAt.plusMillis(1)),
                9))
        .containsExactly(stays);
  }

  @Test
  void a_feed_stands_at_complete_until_and_goes_on_from_there() {
    EventPosition first = writer.store("a.b", Optional.empty(), noon);
    EventPosition second = writer.store("a.b", Optional.empty(), noon.plusMillis(10));
    EventQuery feed = TestQuery.ofTypes("*").order(EventOrder.ASC).from(noon).get();

    EventPage before = feed(feed, Optional.empty(), noon.plusMillis(10));
    assertThat(positions(before)).containsExactly(first);
    assertThat(before.next()).hasValue(EventPosition.before(noon.plusMillis(10)));
    assertThat(before.hasMore()).isFalse();

    EventPage behind = feed(feed, before.next(), noon.plusMillis(4));
    assertThat(positions(behind)).isEmpty();
    assertThat(behind.next()).as("never goes back").isEqualTo(before.next());
    assertThat(behind.hasMore()).isFalse();

    EventPage later = feed(feed, behind.next(), noon.plusMillis(11));
    assertThat(positions(later)).containsExactly(second);
    assertThat(later.next()).hasValue(EventPosition.before(noon.plusMillis(11)));
  }

  @Test
  void only_a_reached_to_ends_a_feed() {
    EventPosition event = writer.store("a.b", Optional.empty(), noon);
    EventQuery feed = ofDay("*").order(EventOrder.ASC).from(noon).to(noon.plusMillis(5)).get();

    EventPage before = feed(feed, Optional.empty(), noon.plusMillis(4));
    assertThat(positions(before)).containsExactly(event);
    assertThat(before.next()).hasValue(EventPosition.before(noon.plusMillis(4)));

    EventPage last = feed(feed, before.next(), noon.plusMillis(5));
    assertThat(last).isEqualTo(new EventPage(List.of(), Optional.empty(), false));
  }

  private EventPage feed(EventQuery query, Optional<EventPosition> after, Instant completeUntil) {
    return list.page(query, Optional.empty(), after, completeUntil, 100);
  }

  @Test
  void a_page_shows_payloads_byte_for_byte_or_says_nothing_of_what_no_page_can_have() {
    List<String> payloads =
        List.of(
            "{\"é\": 1.0 , \"a\":\"\\u0041\"}",
            "{\"a\":\"" + "x".repeat(9_000) + "\"}",
            Payloads.random(2_000_000), // has further items
            "{\"a\":\"" + "\\\\".repeat(1_100_000) + "\"}"); // 4.4 MB with its escapes
    payloads.forEach(payload -> store(payload, noon.plusMillis(payload.length() % 100)));
    for (EventOrder order : EventOrder.values()) {
      assertThat(texts(ofDay("*").withPayloads().order(order)))
          .containsExactlyInAnyOrder(
              Optional.of(payloads.get(0)),
              Optional.of(payloads.get(1)),
              Optional.empty(),
              Optional.empty());
    }
    assertThat(texts(ofDay("*"))).containsOnly(Optional.empty());
  }

  /** A payload of quotes, and one of backslashes: both double inside a JSON string, twice. */
  @ParameterizedTest
  @ValueSource(strings = {"\\\"", "\\\\"})
  void a_page_ends_early_rather_than_leave_a_payload_out(String escaped) {
    List<String> payloads = new ArrayList<>();
    for (int power = 10; power <= 20; power++) {
      for (int size = (1 << power) - 1; size <= (1 << power) + 1; size++) {
        payloads.add(ofSizeInString(size, escaped));
      }
    }
    long mostAlone = EventPage.MAX_PAYLOADS;
    for (long size = mostAlone - 1; size <= mostAlone + 1; size++) {
      payloads.add(ofSizeInString(size, escaped));
    }
    for (int i = 0; i < payloads.size(); i++) {
      store(payloads.get(i), noon.plusMillis(i));
    }
    List<Optional<String>> shown = new ArrayList<>();
    Optional<EventPosition> next = Optional.empty();
    int pages = 0;
    do {
      EventPage page = page(ofDay("*").withPayloads().order(EventOrder.ASC), next, 100);
      List<Optional<String>> texts = texts(page);
      long size = texts.stream().mapToLong(it -> it.map(Json::sizeInString).orElse(0L)).sum();
      assertThat(size).isLessThanOrEqualTo(EventPage.MAX_PAYLOADS);
      assertThat(texts).isNotEmpty();
      shown.addAll(texts);
      next = page.next();
      pages++;
    } while (next.isPresent());

    assertThat(shown.removeLast()).as("a byte too much for any page").isEmpty();
    payloads.removeLast();
    assertThat(shown).isEqualTo(payloads.stream().map(Optional::of).toList());
    assertThat(pages).isLessThan(9);
  }

  /** A JSON object that takes so many bytes inside a JSON string. */
  private static String ofSizeInString(long size, String escaped) {
    String text = "{\"a\":\"" + escaped.repeat((int) (size - 20) / 4) + "\"}";
    return text.substring(0, text.length() - 2)
        + "x".repeat((int) (size - Json.sizeInString(text)))
        + "\"}";
  }

  private void store(String payload, Instant createdAt) {
    writer.store(UUID.randomUUID(), "a.b", payload, createdAt);
  }

  private List<Optional<String>> texts(TestQuery query) {
    return texts(page(query, Optional.empty(), 100));
  }

  private static List<Optional<String>> texts(EventPage page) {
    return page.entries().stream().map(entry -> ((EventPage.ListedEvent) entry).payload()).toList();
  }

  private TestQuery ofDay(String types) {
    return TestQuery.ofTypes(types)
        .from(noon.minus(Duration.ofHours(1)))
        .to(noon.plus(Duration.ofHours(1)));
  }

  private List<EventPosition> all(TestQuery query, int limit) {
    return pages(query, limit).stream().flatMap(List::stream).toList();
  }

  private List<List<EventPosition>> pages(TestQuery query, int limit) {
    List<List<EventPosition>> pages = new ArrayList<>();
    Optional<EventPosition> next = Optional.empty();
    do {
      EventPage page = page(query, next, limit);
      assertThat(page.entries()).hasSizeLessThanOrEqualTo(limit);
      assertThat(page.next().isPresent()).isEqualTo(page.hasMore());
      pages.add(positions(page));
      next = page.next();
    } while (next.isPresent());
    return pages;
  }

  private EventPage page(TestQuery query, Optional<EventPosition> after, int limit) {
    Instant late = noon.plus(Duration.ofHours(2));
    return list.page(query.get(), Optional.empty(), after, late, limit);
  }

  private static List<EventPosition> positions(EventPage page) {
    return page.entries().stream()
        .map(entry -> ((EventPage.ListedEvent) entry).event())
        .map(event -> new EventPosition(event.createdAt(), event.id()))
        .toList();
  }
}
