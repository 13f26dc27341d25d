package dev.connectorevents.dynamodb.events;

import static org.assertj.core.api.Assertions.assertThat;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.AdjustableClock;
import dev.connectorevents.SideBySide;
import dev.connectorevents.emulator.Endpoint;
import dev.connectorevents.emulator.Stores;
import dev.connectorevents.event.EventOrder;
import dev.connectorevents.event.EventPage;
import dev.connectorevents.event.EventPosition;
import dev.connectorevents.event.EventQuery;
import dev.connectorevents.event.EventTypes;
import dev.connectorevents.event.TestQuery;
import dev.connectorevents.event.Timestamp;
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
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/** Where the pages of a list begin and end, and what they cost. */
class DynamoEventPagesTest {

  @AutoClose private static final Stores service = Endpoint.stores(Path.of("../template.yaml"));
  private static final BetweenTwoReads betweenTwoReads = new BetweenTwoReads();

  @AutoClose
  private static final DynamoDbClient dynamoDb =
      service.settings().dynamoDbClient(client -> client.addExecutionInterceptor(betweenTwoReads));

  private final ListedDay day = new ListedDay(service, dynamoDb);
  private final Instant noon = day.noon;
  private final EventWriter writer = day.writer;

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

      assertThat(day.all(day.of("*").order(order), limit)).isEqualTo(stored);
      assertThat(day.all(day.of("a.*").order(order).brand("x"), limit)).isEqualTo(stored);
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

    assertThat(day.all(day.of("*").order(order), 2)).isEqualTo(stored);
  }

  @ParameterizedTest
  @EnumSource
  void an_event_of_one_lane_does_not_overtake_those_that_another_has_not_returned(
      EventOrder order) {
    List<EventPosition> stored = new ArrayList<>();
    stored.add(writer.store(day.inLane(1, 1), "a.b", noon.plusMillis(9)));
    for (int i = 0; i < 5; i++) {
      stored.add(writer.store(day.inLane(0, i), "a.b", noon.plusMillis(10)));
    }
    stored.add(writer.store(day.inLane(0, 5), "a.b", noon.plusMillis(12)));
    stored.add(writer.store(day.inLane(1, 2), "a.b", noon.plusMillis(13)));
    stored.sort(order.comparator());

    assertThat(day.all(day.of("*").order(order), 2)).isEqualTo(stored);
  }

  @Test
  void a_full_page_takes_a_query_for_each_lane_and_one_batch_read() {
    for (int i = 0; i < 110; i++) {
      writer.store(day.inLane(i % 8, i), "a.b", noon.plusMillis(i));
    }
    betweenTwoReads.calls.clear();

    EventPage page = day.page(day.of("*"), Optional.empty(), 100);

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
      writer.store(day.inLane(i % 8, i), i == 0 ? "rare.type" : "a.b", noon.plusMillis(i));
    }
    betweenTwoReads.calls.clear();
    assertThat(day.page(day.of("a.*"), Optional.empty(), 10).entries()).hasSize(10);
    assertThat(betweenTwoReads.calls).hasSize(9);
    betweenTwoReads.calls.clear();

    assertThat(day.page(day.of("rare.type"), Optional.empty(), 10).entries()).hasSize(1);

    assertThat(betweenTwoReads.calls)
        .filteredOn(QueryRequest.class::isInstance)
        .extracting(query -> ((QueryRequest) query).limit())
        .containsOnly(4, 32, 256)
        .hasSize(24);
  }

  @Test
  void a_page_ends_when_its_search_takes_too_long_and_the_next_one_goes_on() {
    writer.store(day.inLane(0, 0), "rare.type", noon);
    for (int i = 1; i < 400; i++) {
      writer.store(day.inLane(i % 8, i), "a.b", noon.plusMillis(i));
    }
    AdjustableClock slow = new AdjustableClock(noon + "");
    DynamoEventList late =
        new DynamoEventList(
            dynamoDb,
            service.name("EventsTable"),
            () -> {
              slow.advance(Duration.ofSeconds(3));
              return slow.instant();
            },
            new SideBySide(Thread::startVirtualThread, 8),
            pause -> {});
    EventQuery query = day.of("rare.type").get();
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

  @Test
  void a_page_looks_at_20_000_entries_and_the_next_one_goes_on() {
    EndlessIndex endless = new EndlessIndex(noon, new AtomicInteger());
    DynamoEventList list =
        new DynamoEventList(
            endless, "t", day.clock, new SideBySide(Thread::startVirtualThread, 8), pause -> {});

    EventPage page =
        list.page(day.of("rare.type").get(), Optional.empty(), Optional.empty(), noon, 100);

    assertThat(page.entries()).isEmpty();
    assertThat(page.hasMore()).isTrue();
    assertThat(endless.looked()).hasValue(20_000);
  }

  /** In this index, no entry passes the filter, and after those of a query there are others. */
  private record EndlessIndex(Instant last, AtomicInteger looked) implements DynamoDbClient {

    @Override
    public QueryResponse query(QueryRequest query) {
      looked.addAndGet(query.limit());
      return QueryResponse.builder()
          .items(List.of())
          .lastEvaluatedKey(
              Map.of("created_at", fromS(Timestamp.of(last)), "id", fromS(UUID.randomUUID() + "")))
          .build();
    }

    @Override
    public String serviceName() {
      return "dynamodb";
    }

    @Override
    public void close() {
      // There is nothing to close.
    }
  }

  /** A consumer can read the position in its cursor. */
  @ParameterizedTest
  @EnumSource
  void no_page_ends_at_the_id_of_an_event_outside_the_scope(EventOrder order) {
    Set<UUID> visible = new HashSet<>();
    for (int i = 0; i < 200; i++) {
      UUID id = day.inLane(i % 8, i);
      writer.store(id, i % 5 == 0 ? "a.b" : "c.d", noon.plusMillis(i / 3));
      if (i % 5 == 0) {
        visible.add(id);
      }
    }
    List<UUID> ends = new ArrayList<>();
    Optional<EventPosition> next = Optional.empty();
    do {
      next =
          day.list
              .page(
                  day.of("*").order(order).get(),
                  EventTypes.parse("a.*"),
                  next,
                  noon.plusSeconds(60),
                  3)
              .next();
      next.filter(end -> !end.isBeforeMillisecond()).ifPresent(end -> ends.add(end.id()));
    } while (next.filter(end -> end.createdAt().isBefore(noon.plusSeconds(60))).isPresent());

    assertThat(ends).isNotEmpty().isSubsetOf(visible);
  }

  @Test
  void a_feed_stands_at_complete_until_and_goes_on_from_there() {
    EventPosition first = writer.store("a.b", Optional.empty(), noon);
    EventPosition second = writer.store("a.b", Optional.empty(), noon.plusMillis(10));
    EventQuery feed = TestQuery.ofTypes("*").order(EventOrder.ASC).from(noon).get();

    EventPage before = day.feed(feed, Optional.empty(), noon.plusMillis(10));
    assertThat(ListedDay.positions(before)).containsExactly(first);
    assertThat(before.next()).hasValue(EventPosition.before(noon.plusMillis(10)));
    assertThat(before.hasMore()).isFalse();

    EventPage behind = day.feed(feed, before.next(), noon.plusMillis(4));
    assertThat(ListedDay.positions(behind)).isEmpty();
    assertThat(behind.next()).as("never goes back").isEqualTo(before.next());
    assertThat(behind.hasMore()).isFalse();

    EventPage later = day.feed(feed, behind.next(), noon.plusMillis(11));
    assertThat(ListedDay.positions(later)).containsExactly(second);
    assertThat(later.next()).hasValue(EventPosition.before(noon.plusMillis(11)));
  }

  @Test
  void only_a_reached_to_ends_a_feed() {
    EventPosition event = writer.store("a.b", Optional.empty(), noon);
    EventQuery feed = day.of("*").order(EventOrder.ASC).from(noon).to(noon.plusMillis(5)).get();

    EventPage before = day.feed(feed, Optional.empty(), noon.plusMillis(4));
    assertThat(ListedDay.positions(before)).containsExactly(event);
    assertThat(before.next()).hasValue(EventPosition.before(noon.plusMillis(4)));

    EventPage last = day.feed(feed, before.next(), noon.plusMillis(5));
    assertThat(last).isEqualTo(new EventPage(List.of(), Optional.empty(), false));
  }
}
