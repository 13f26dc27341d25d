package dev.connectorevents.dynamodb.events;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.emulator.Endpoint;
import dev.connectorevents.emulator.Stores;
import dev.connectorevents.event.Deliveries;
import dev.connectorevents.event.Delivery;
import dev.connectorevents.event.EventOrder;
import dev.connectorevents.event.EventPage;
import dev.connectorevents.event.EventPosition;
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
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Which entries a list has. */
class DynamoEventListTest {

  @AutoClose private static final Stores service = Endpoint.stores(Path.of("../template.yaml"));
  private static final BetweenTwoReads betweenTwoReads = new BetweenTwoReads();

  @AutoClose
  private static final DynamoDbClient dynamoDb =
      service.settings().dynamoDbClient(client -> client.addExecutionInterceptor(betweenTwoReads));

  private final ListedDay day = new ListedDay(service, dynamoDb);
  private final Instant noon = day.noon;
  private final EventWriter writer = day.writer;
  private final Tombstones tombstones =
      new Tombstones(service.dynamoDb(), service.name("EventsTable"));

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
      TestQuery query = day.of("*").order(order);
      Optional.ofNullable(from)
          .ifPresent(it -> query.from(noon.plus(Duration.parse("PT" + it + "S"))));
      Optional.ofNullable(to).ifPresent(it -> query.to(noon.plus(Duration.parse("PT" + it + "S"))));

      assertThat(day.all(query, 2)).hasSize(events);
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
    TestQuery query = day.of(types).order(EventOrder.ASC);
    Optional.ofNullable(brand).ifPresent(name -> query.brand(noon + "-" + name));
    Optional<EventTypes> inScope = Optional.ofNullable(scope).flatMap(EventTypes::parse);

    assertThat(
            ListedDay.positions(
                day.list.page(query.get(), inScope, Optional.empty(), day.clock.instant(), 100)))
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

    assertThat(day.all(day.of("*").brand(brand), 1)).containsExactly(second, first);
  }

  @Test
  void a_list_shows_each_field_of_a_delivery_but_the_response() {
    writer.store("a.b", Optional.empty(), noon);
    Map<String, Object> shown = new HashMap<>();
    Deliveries.FULL.forEach(shown::put);
    shown.remove(Delivery.RESPONSE);

    Map<String, Object> listed = new HashMap<>();
    EventPage page = day.page(day.of("*"), Optional.empty(), 1);
    ((EventPage.ListedEvent) page.entries().getFirst()).event().delivery().forEach(listed::put);

    assertThat(listed).isEqualTo(shown);
  }

  @Test
  void an_event_past_its_retention_is_left_out() {
    writer.store(
        UUID.randomUUID(), "a.b", Optional.empty(), noon, Optional.of(Duration.ofHours(2)));
    assertThat(day.all(day.of("*"), 10)).hasSize(1);

    day.clock.advance(Duration.ofHours(1));

    assertThat(day.all(day.of("*"), 10)).isEmpty();
  }

  @Test
  void a_deleted_event_is_left_out_and_the_list_goes_on() {
    EventPosition oldest = writer.store("a.b", Optional.empty(), noon);
    EventPosition newest = writer.store("a.b", Optional.empty(), noon.plusMillis(2));
    EventPage first = day.page(day.of("*"), Optional.empty(), 1);
    service
        .dynamoDb()
        .deleteItem(it ->
            it.tableName(service.name("EventsTable"))
                .key(Map.of("id", fromS(newest.id().toString()))));

    assertThat(first.next()).hasValue(newest);
    assertThat(ListedDay.positions(day.page(day.of("*"), first.next(), 1))).containsExactly(oldest);
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

    assertThat(pagesWhileErased(day.of("*"), erased)).isEqualTo(expected);
    assertThat(pagesWhileErased(day.of("*").brand(noon + ""), erased)).isEqualTo(expected);
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
      UUID id = day.inLane(i, ThreadLocalRandom.current().nextInt());
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
        day.pages(query, 2).stream()
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
    for (EventOrder order : EventOrder.values()) {
      for (String types : List.of("*", "a.b", "x.y")) {
        TestQuery query =
            TestQuery.ofTypes(types)
                .order(order)
                .from(erasedAt.minusSeconds(10))
                .to(erasedAt.plusMillis(1))
                .withErasures();
        List<EventPage.Entry> entries =
            day.feed(query.get(), Optional.empty(), erasedAt.plusSeconds(1)).entries();

        assertThat(entries).contains(new EventPage.ListedErasure(erased.id(), erasedAt));
        assertThat(entries)
            .filteredOn(EventPage.ListedEvent.class::isInstance)
            .hasSize(types.equals("x.y") ? 0 : 1);
      }
    }
    assertThat(
            day.all(
                TestQuery.ofTypes("*").from(erasedAt.minusSeconds(10)).to(erasedAt.plusMillis(1)),
                9))
        .containsExactly(stays);
  }
}
