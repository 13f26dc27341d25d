package dev.connectorevents.dynamodb.events;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.Promise;
import dev.connectorevents.emulator.Endpoint;
import dev.connectorevents.emulator.Stores;
import dev.connectorevents.event.Deliveries;
import dev.connectorevents.event.Delivery;
import dev.connectorevents.event.EventOrder;
import dev.connectorevents.event.EventType;
import dev.connectorevents.event.EventTypes;
import dev.connectorevents.event.ListEntry;
import dev.connectorevents.event.TestQuery;
import dev.connectorevents.feed.BrandHash;
import dev.connectorevents.feed.EventFeed.Outcome;
import dev.connectorevents.feed.FeedCursor;
import dev.connectorevents.feed.FeedEntry;
import dev.connectorevents.feed.ItemVersion;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which entries the feed shows, and where its pages end. */
class DynamoEventFeedTest {

  @AutoClose private static final Stores service = Endpoint.stores(Path.of("../template.yaml"));
  private static final String table = service.name("EventsTable");

  private final FollowedFeed feed = new FollowedFeed(service, service.dynamoDb());
  private final Tombstones tombstones = new Tombstones(service.dynamoDb(), table);

  private static TestQuery asc() {
    return TestQuery.ofTypes("*").order(EventOrder.ASC);
  }

  private static TestQuery desc() {
    return TestQuery.ofTypes("*");
  }

  private static Optional<FeedCursor> at(long position) {
    return Optional.of(new FeedCursor(Optional.of("00c0ffee"), position));
  }

  @Test
  @Promise("While the feed is empty, it is `0`, the beginning of every feed.")
  void a_feed_without_positions_begins_at_0() {
    assertThat(feed.page(asc(), Optional.empty(), 9))
        .isEqualTo(
            new Outcome.Page(
                List.of(), Optional.of(FeedCursor.BEGINNING), false, 0, Duration.ZERO));
    assertThat(feed.page(desc(), Optional.empty(), 9))
        .isEqualTo(new Outcome.Page(List.of(), Optional.empty(), false, 0, Duration.ZERO));
    assertThat(feed.feed.page(asc().get(), Optional.empty(), at(0), 9))
        .isEqualTo(new Outcome.Foreign());

    feed.store("a.b");

    assertThat(feed.page(asc(), Optional.of(FeedCursor.BEGINNING), 9).next()).isEqualTo(at(1));
  }

  @Test
  @Promise({
    "`next` is the last position that the page has shown or left out",
    "`more: true`: ask again at once."
  })
  void next_is_the_last_judged_position_and_more_says_whether_it_stands_at_head() {
    for (String type : List.of("a.b", "c.d", "a.b", "c.d", "c.d")) {
      feed.store(type);
    }
    TestQuery query = TestQuery.ofTypes("a.*").order(EventOrder.ASC);

    Outcome.Page first = feed.page(query, Optional.empty(), 1);
    Outcome.Page second = feed.page(query, first.next(), 9);
    Outcome.Page third = feed.page(query, second.next(), 9);

    assertThat(FollowedFeed.positions(first)).containsExactly(1L);
    assertThat(first.next()).isEqualTo(at(1));
    assertThat(first.hasMore()).isTrue();
    assertThat(first.head()).isEqualTo(5);
    assertThat(FollowedFeed.positions(second)).containsExactly(3L);
    assertThat(second.next()).isEqualTo(at(5));
    assertThat(second.hasMore()).isFalse();
    assertThat(third).isEqualTo(new Outcome.Page(List.of(), at(5), false, 5, Duration.ZERO));
  }

  @Test
  @Promise("Newest first, `next` is absent at the end of the list")
  void newest_first_is_the_reverse_of_the_feed_and_ends() {
    for (int i = 0; i < 5; i++) {
      feed.store("a.b");
    }

    Outcome.Page first = feed.page(desc(), Optional.empty(), 2);

    assertThat(FollowedFeed.positions(first)).containsExactly(5L, 4L);
    assertThat(first.next()).isEqualTo(at(4));
    assertThat(feed.all(desc(), 2)).containsExactly(5L, 4L, 3L, 2L, 1L);
    assertThat(feed.page(desc(), at(1), 2))
        .isEqualTo(new Outcome.Page(List.of(), Optional.empty(), false, 5, Duration.ZERO));
  }

  @Test
  @Promise("Each event is in one share.")
  void shares_have_each_event_once_and_a_brand_in_one_and_all_have_the_erasures() {
    UUID erased = feed.storeOf("brand-1", "a.b");
    for (int i = 0; i < 30; i++) {
      feed.storeOf("brand-" + i % 10, "a.b");
      feed.store("c.d");
    }
    tombstones.put(erased);
    feed.log.append(feed.clock.instant(), erasure(erased));

    Map<Integer, List<Long>> parts =
        IntStream.rangeClosed(1, 3)
            .boxed()
            .collect(
                toMap(it -> it, it -> feed.all(new TestQuery().share(it, 3).withErasures(), 4)));

    assertThat(parts.values()).allSatisfy(part -> assertThat(part).contains(62L).isSorted());
    assertThat(parts.values().stream().flatMap(List::stream).filter(it -> it < 62))
        .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(2, 61).boxed().toList());
    for (int brand = 0; brand < 10; brand++) {
      List<Long> ofBrand = List.of(2 + 2L * brand, 22 + 2L * brand, 42 + 2L * brand);
      assertThat(parts.values()).as("brand " + brand).anyMatch(it -> it.containsAll(ofBrand));
    }
    // By hand: the SHA-256 of brand-0 begins with 6ffc, which is 0 modulo 3.
    assertThat(parts.get(1)).contains(2L);
    assertThat(parts.get(1)).as("without a brand, by position").contains(3L, 9L, 15L);
  }

  @Test
  @Promise(
      "how many positions are left to read after it, and how long ago the first of them was given.")
  void a_page_says_since_when_the_next_entry_is_unread() {
    for (int i = 0; i < 3; i++) {
      feed.store("a.b"); // a second apart
    }
    feed.clock.advance(Duration.ofMinutes(1));

    Outcome.Page first = feed.page(asc(), Optional.empty(), 1);
    Outcome.Page second = feed.page(asc(), first.next(), 9);

    assertThat(first.behind()).isEqualTo(Duration.ofSeconds(62));
    assertThat(second.behind()).isZero();
    assertThat(feed.page(desc(), Optional.empty(), 1).behind()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"0badf00d, 1", "00c0ffee, 3"})
  @Promise("A `cursor` of another feed gets 422 `validation_failed`, and so does one past `head`.")
  void a_cursor_of_another_feed_or_past_the_head_is_refused(String name, long position) {
    feed.store("a.b");
    feed.store("a.b");
    Optional<FeedCursor> cursor = Optional.of(new FeedCursor(Optional.of(name), position));

    assertThat(feed.feed.page(asc().get(), Optional.empty(), cursor, 9))
        .isEqualTo(new Outcome.Foreign());
  }

  /** Columns: types asked for, scope, brand, and the positions that are shown. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          *            | -       | -     | 1 2 3 4
          a.*          | -       | -     | 1 2
          a.b*         | a.bc    | -     | 2
          *            | c.*     | -     | 3 4
          *            | -       | brand | 2 4
          a.*          | -       | brand | 2
          *            | -       | other |
          """)
  @Promise({"other events in lists and in the feed", "With `event_type`, both must hold."})
  void types_scope_and_brand_must_all_hold(String types, String scope, String brand, String shown) {
    feed.store("a.b");
    feed.storeOf("brand", "a.bc");
    feed.store("c.d");
    feed.storeOf("brand", "c.e");
    TestQuery query = TestQuery.ofTypes(types).order(EventOrder.ASC);
    Optional.ofNullable(brand).ifPresent(query::brand);

    Optional<EventTypes> inScope = Optional.ofNullable(scope).flatMap(EventTypes::parse);
    assertThat(FollowedFeed.positions(feed.page(query, inScope, Optional.empty(), 9)))
        .isEqualTo(
            Stream.of(Optional.ofNullable(shown).orElse("").split(" ", -1))
                .filter(number -> !number.isEmpty())
                .map(Long::valueOf)
                .toList());
  }

  @Test
  @Promise("Only events with this `_meta.brand_id`")
  void the_event_tells_whose_it_is_and_not_the_bits_of_its_brand() {
    feed.storeOf("brand", "a.b");
    FeedEntry.OfEvent own =
        (FeedEntry.OfEvent) feed.log.forward(1, 1).getFirst().entries().getFirst();
    feed.log.append(
        feed.clock.instant(),
        new FeedEntry.OfEvent(
            own.version(), own.type(), own.userId(), Optional.of(BrandHash.of("other"))));

    assertThat(feed.all(asc().brand("other"), 9)).isEmpty();
    assertThat(feed.all(asc().brand("brand"), 9)).containsExactly(1L);
  }

  /** Columns: from and to in seconds after noon, and the positions, which are given each second. */
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "-, -, 1 2 3 4 5",
        "1, -, 2 3 4 5",
        "0.5, -, 2 3 4 5",
        "-, 3, 1 2 3",
        "1, 3, 2 3",
        "-, 0, ''",
        "9, -, ''",
      })
  @Promise("`from` and `to` compare this time.")
  void times_are_those_of_the_positions(String from, String to, String positions) {
    for (int i = 0; i < 5; i++) {
      feed.store("a.b");
    }
    List<Long> expected =
        Stream.of(positions.split(" ", -1)).filter(it -> !it.isEmpty()).map(Long::valueOf).toList();
    for (EventOrder order : EventOrder.values()) {
      TestQuery query = TestQuery.ofTypes("*").order(order);
      Optional.ofNullable(from).ifPresent(it -> query.from(after(it)));
      Optional.ofNullable(to).ifPresent(it -> query.to(after(it)));

      assertThat(feed.all(query, 2))
          .isEqualTo(order == EventOrder.ASC ? expected : expected.reversed());
    }
  }

  private static Instant after(String seconds) {
    return FollowedFeed.NOON.plus(Duration.parse("PT" + seconds + "S"));
  }

  @Test
  @Promise("Only an answer that has reached `to` has no `next`.")
  void only_a_reached_to_ends_a_feed() {
    feed.store("a.b"); // at noon
    TestQuery query = asc().to(after("5"));

    assertThat(feed.page(query, Optional.empty(), 9).next()).isEqualTo(at(1));
    feed.clock.advance(Duration.ofSeconds(9)); // 10 s after noon
    assertThat(feed.page(query, at(1), 9).next()).as("5 s after to").isEqualTo(at(1));
    feed.clock.advance(Duration.ofMillis(1));
    assertThat(feed.page(query, at(1), 9))
        .isEqualTo(new Outcome.Page(List.of(), Optional.empty(), false, 1, Duration.ZERO));
    assertThat(feed.page(query, Optional.empty(), 1).next())
        .as("all positions are judged")
        .isEmpty();
    feed.store("a.b");
    assertThat(feed.page(asc().to(after("7")), at(1), 9).next()).as("a later one").isEmpty();
  }

  @Test
  @Promise({
    "Erased events, events whose retention has passed, and events outside",
    "has a new position, and is absent at its old one."
  })
  void what_is_stored_no_longer_is_left_out() {
    UUID replaced = feed.store("a.b");
    UUID erased = feed.store("a.b");
    feed.store(UUID.randomUUID(), "a.b", Map.of(), "{}", Duration.ofSeconds(1_000));
    UUID renumbered = feed.store("a.b");
    UUID deleted = feed.store("a.b");
    assertThat(feed.all(asc(), 2)).containsExactly(1L, 2L, 3L, 4L, 5L);

    feed.clock.advance(Duration.ofSeconds(2_000));
    tombstones.put(erased);
    set(renumbered, "renumbered_at", "2026-11-21T00:00:00.000Z");
    set(replaced, "created_at", "2026-11-21T00:00:00.000Z");
    service.dynamoDb().deleteItem(it -> it.tableName(table).key(Map.of("id", fromS(deleted + ""))));

    assertThat(feed.all(asc(), 2)).isEmpty();
    feed.log.append(
        feed.clock.instant(),
        new FeedEntry.OfEvent(
            new ItemVersion(
                renumbered,
                FollowedFeed.NOON.plusSeconds(3),
                Optional.of(Instant.parse("2026-11-21T00:00:00Z"))),
            new EventType("a.b"),
            new UUID(0, 7),
            Optional.empty()));
    assertThat(feed.all(asc(), 2)).as("at its new position").containsExactly(6L);
  }

  private static void set(UUID id, String attribute, String value) {
    service
        .dynamoDb()
        .updateItem(update ->
            update
                .tableName(table)
                .key(Map.of("id", fromS(id.toString())))
                .updateExpression("SET " + attribute + " = :value")
                .expressionAttributeValues(Map.of(":value", fromS(value))));
  }

  private static FeedEntry erasure(UUID id) {
    return new FeedEntry.OfErasure(
        new ItemVersion(id, Instant.parse(Tombstones.ERASED_AT), Optional.empty()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"*", "x.y"})
  @Promise("at its own position, whatever `event_type` and the scope say.")
  void an_erasure_is_shown_at_its_position_if_it_is_asked_for_whatever_the_types(String types) {
    Instant erasedAt = Instant.parse(Tombstones.ERASED_AT);
    feed.clock.advance(Duration.between(FollowedFeed.NOON, erasedAt)); // the same millisecond
    UUID id = feed.store("a.b");
    tombstones.put(id);
    feed.log.append(feed.clock.instant(), erasure(id));
    for (EventOrder order : EventOrder.values()) {
      TestQuery query = TestQuery.ofTypes(types).order(order);

      assertThat(feed.page(query, Optional.empty(), 9).entries()).isEmpty();
      assertThat(
              feed.page(query.withErasures(), EventTypes.parse("z.*"), Optional.empty(), 9)
                  .entries())
          .containsExactly(new ListEntry.OfErasure(2, id, erasedAt));
    }
  }

  @Test
  @Promise("An event is shown as at its creation, but without `response`.")
  void an_event_is_shown_with_each_field_of_its_delivery_but_the_response() {
    feed.store("a.b");
    Map<String, Object> stored = new HashMap<>();
    Deliveries.FULL.forEach(stored::put);
    stored.remove(Delivery.RESPONSE);

    Map<String, Object> shown = new HashMap<>();
    ListEntry.OfEvent entry =
        (ListEntry.OfEvent) feed.page(asc(), Optional.empty(), 1).entries().getFirst();
    entry.event().delivery().forEach(shown::put);
    assertThat(shown).isEqualTo(stored);
    assertThat(entry.userId()).isEqualTo(new UUID(0, 7));
  }
}
