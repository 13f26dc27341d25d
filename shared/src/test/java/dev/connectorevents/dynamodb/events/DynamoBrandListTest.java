package dev.connectorevents.dynamodb.events;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.Promise;
import dev.connectorevents.dynamodb.FakeDynamoDb;
import dev.connectorevents.emulator.Endpoint;
import dev.connectorevents.emulator.Stores;
import dev.connectorevents.event.BrandList;
import dev.connectorevents.event.EventPlace;
import dev.connectorevents.event.EventTypes;
import dev.connectorevents.event.TestQuery;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
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
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/** The events of a brand, newest first. */
class DynamoBrandListTest {

  @AutoClose private static final Stores service = Endpoint.stores(Path.of("../template.yaml"));
  private static final BetweenTwoReads betweenTwoReads = new BetweenTwoReads();

  @AutoClose
  private static final DynamoDbClient dynamoDb =
      service.settings().dynamoDbClient(client -> client.addExecutionInterceptor(betweenTwoReads));

  private final ListedDay day = new ListedDay(service, dynamoDb);
  private final Tombstones tombstones =
      new Tombstones(service.dynamoDb(), service.name("EventsTable"));

  @Test
  void a_lane_that_does_not_answer_leaves_no_events_out() {
    FakeDynamoDb throttled =
        new FakeDynamoDb() {
          @Override
          public QueryResponse query(QueryRequest request) {
            throw ProvisionedThroughputExceededException.builder().build();
          }
        };

    assertThatExceptionOfType(DependencyUnavailableException.class)
        .isThrownBy(() -> BrandLane.read(throttled, QueryRequest.builder().build(), Instant.MAX));
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
  @Promise("of `created_at`. `from` is included, `to` is not.")
  void a_list_begins_at_from_and_ends_before_to(String from, String to, int events) {
    for (int i = 0; i < 5; i++) {
      day.store("a.b", day.noon.plusMillis(i));
    }
    TestQuery query = day.of("*");
    Optional.ofNullable(from)
        .ifPresent(it -> query.from(day.noon.plus(Duration.parse("PT" + it + "S"))));
    Optional.ofNullable(to)
        .ifPresent(it -> query.to(day.noon.plus(Duration.parse("PT" + it + "S"))));

    assertThat(day.all(query, 2)).hasSize(events);
  }

  /** Columns: types asked for, scope, and the numbers of the events that are listed. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          *            | -       | 1 2 3 4 5
          a.b          | -       | 1
          a.*          | -       | 1 2
          a.b,d.e      | -       | 1 4
          a.bc,g.h#i   | -       | 2 5
          x.y          | -       |
          *            | a.*,d.e | 1 2 4
          a.b*         | a.bc    | 2
          """)
  @Promise({"other events in lists and in the feed", "With `event_type`, both must hold"})
  void types_and_scope_must_both_hold(String types, String scope, String listed) {
    List<EventPlace> stored = new ArrayList<>();
    for (String type : List.of("a.b", "a.bc", "c.d", "d.e", "g.h#i")) {
      stored.add(day.store(type, day.noon.plusMillis(stored.size())));
    }

    Optional<EventTypes> inScope = Optional.ofNullable(scope).flatMap(EventTypes::parse);
    assertThat(ListedDay.places(day.page(day.of(types), inScope, Optional.empty(), 100)))
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(Optional.ofNullable(listed).orElse("").split(" ", -1))
                .filter(number -> !number.isEmpty())
                .map(number -> stored.get(Integer.parseInt(number) - 1))
                .toList());
  }

  @ParameterizedTest
  @ValueSource(strings = {"brand-7", "a#0", "é 你"})
  @Promise({"Only events with this `_meta.brand_id`", "the index `by_brand` has the list"})
  void a_brand_has_its_own_list(String name) {
    String brand = name + day.noon;
    EventPlace first = day.writer.store("a.b", Optional.of(brand), day.noon);
    EventPlace second = day.writer.store("c.d", Optional.of(brand), day.noon.plusMillis(1));
    day.writer.store("a.b", Optional.of(brand + "x"), day.noon);
    day.writer.store("a.b", Optional.empty(), day.noon);

    assertThat(day.all(day.of("*").brand(brand), 1)).containsExactly(second, first);
  }

  @Test
  @Promise("A page may have fewer events than `limit`, even none.")
  void a_deleted_event_is_left_out_and_the_list_goes_on() {
    EventPlace oldest = day.store(day.inLane(0, 1), "a.b", day.noon);
    EventPlace newest = day.store(day.inLane(1, 2), "a.b", day.noon.plusMillis(2));
    BrandList.Page first = day.page(day.of("*"), Optional.empty(), 1);
    service
        .dynamoDb()
        .deleteItem(it ->
            it.tableName(service.name("EventsTable"))
                .key(Map.of("id", fromS(newest.id().toString()))));

    assertThat(day.pages(day.of("*"), first.next(), 1).stream().flatMap(List::stream))
        .containsExactly(oldest);
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
          5 4       |     / 3 2 / 1
          3 2       | 5 4 / 1
          5 4 3 2 1 |     /
          """)
  @Promise("Erased events, events whose retention has passed, and events outside")
  void erased_events_are_left_out_and_their_pages_are_short(String erased, String pages) {
    Map<UUID, String> numbers = new HashMap<>();
    for (int i = 1; i <= 5; i++) {
      UUID id = day.inLane(i, ThreadLocalRandom.current().nextInt());
      day.store(id, "a.b", day.noon.plusMillis(i));
      numbers.put(id, "" + i);
    }
    betweenTwoReads.once(() ->
        numbers.forEach((id, number) -> {
          if (erased.contains(number)) {
            tombstones.put(id);
          }
        }));

    assertThat(
            day.pages(day.of("*"), 2).stream()
                .map(page ->
                    page.stream()
                        .map(event -> requireNonNull(numbers.get(event.id())))
                        .collect(Collectors.joining(" ")))
                .toList())
        .isEqualTo(Stream.of(pages.split("/", -1)).map(String::strip).toList());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 10, 100})
  @Promise("in the order of `created_at`, then of `id`.")
  void pages_of_any_size_make_the_same_list_at_equal_timestamps_too(int limit) {
    Random random = new Random(limit);
    List<EventPlace> stored = new ArrayList<>();
    for (int i = 0; i < 12 + limit; i++) {
      stored.add(day.store("a.b", day.noon.plusMillis(random.nextInt(6))));
    }
    stored.sort(Collections.reverseOrder());

    assertThat(day.all(day.of("*"), limit)).isEqualTo(stored);
    assertThat(day.all(day.of("a.*"), limit)).isEqualTo(stored);
  }

  @Test
  void a_millisecond_may_have_more_events_than_a_query_returns() {
    List<EventPlace> stored = new ArrayList<>();
    stored.add(day.store("a.b", day.noon.minusMillis(1)));
    for (int i = 0; i < 64; i++) {
      stored.add(day.store("a.b", day.noon));
    }
    stored.add(day.store("a.b", day.noon.plusMillis(1)));
    stored.sort(Collections.reverseOrder());

    assertThat(day.all(day.of("*"), 2)).isEqualTo(stored);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void a_small_page_has_the_newest_events_even_of_one_millisecond(int millis) {
    for (int i = 0; i < 40; i++) {
      day.store("a.b", day.noon.plusMillis((long) i * millis));
    }
    for (int limit : new int[] {1, 2, 3}) {
      assertThat(day.page(day.of("*"), Optional.empty(), limit).entries()).isNotEmpty();
      assertThat(day.page(day.of("a.*"), Optional.empty(), limit).entries()).hasSize(limit);
    }
  }

  @Test
  void an_event_of_one_lane_does_not_overtake_those_that_another_has_not_returned() {
    List<EventPlace> stored = new ArrayList<>();
    stored.add(day.store(day.inLane(1, 1), "a.b", day.noon.plusMillis(9)));
    for (int i = 0; i < 5; i++) {
      stored.add(day.store(day.inLane(0, i), "a.b", day.noon.plusMillis(10)));
    }
    stored.add(day.store(day.inLane(0, 5), "a.b", day.noon.plusMillis(12)));
    stored.add(day.store(day.inLane(1, 2), "a.b", day.noon.plusMillis(13)));
    stored.sort(Collections.reverseOrder());

    assertThat(day.all(day.of("*"), 2)).isEqualTo(stored);
  }

  @Test
  void a_full_page_takes_a_query_for_each_lane_and_one_batch_read() {
    for (int i = 0; i < 110; i++) {
      day.store(day.inLane(i % 8, i), "a.b", day.noon.plusMillis(i));
    }
    betweenTwoReads.calls.clear();

    BrandList.Page page = day.page(day.of("*"), Optional.empty(), 100);

    assertThat(page.entries()).hasSize(100);
    assertThat(page.next()).isPresent();
    assertThat(betweenTwoReads.calls)
        .hasSize(9)
        .filteredOn(QueryRequest.class::isInstance)
        .hasSize(8);
  }

  /** A consumer can read the place in its cursor. */
  @Test
  @Promise("other events in lists and in the feed")
  void no_page_ends_at_the_id_of_an_event_outside_the_scope() {
    Set<UUID> visible = new HashSet<>();
    for (int i = 0; i < 200; i++) {
      UUID id = day.inLane(i % 8, i);
      day.store(id, i % 5 == 0 ? "a.b" : "c.d", day.noon.plusMillis(i / 3));
      if (i % 5 == 0) {
        visible.add(id);
      }
    }
    List<UUID> ends = new ArrayList<>();
    Optional<EventPlace> next = Optional.empty();
    do {
      next = day.page(day.of("*"), EventTypes.parse("a.*"), next, 3).next();
      next.filter(end -> !end.isBeforeMillisecond()).ifPresent(end -> ends.add(end.id()));
    } while (next.isPresent());

    assertThat(ends).isNotEmpty().isSubsetOf(visible);
  }
}
