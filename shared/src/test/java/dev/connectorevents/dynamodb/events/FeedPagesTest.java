package dev.connectorevents.dynamodb.events;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.Promise;
import dev.connectorevents.dynamodb.FakeDynamoDb;
import dev.connectorevents.emulator.Endpoint;
import dev.connectorevents.emulator.Stores;
import dev.connectorevents.event.Deliveries;
import dev.connectorevents.event.Delivery;
import dev.connectorevents.event.EventOrder;
import dev.connectorevents.event.EventType;
import dev.connectorevents.event.EventTypes;
import dev.connectorevents.event.FeedPosition;
import dev.connectorevents.event.ListEntry;
import dev.connectorevents.event.Sha256;
import dev.connectorevents.event.TestQuery;
import dev.connectorevents.feed.BrandHash;
import dev.connectorevents.feed.EventFeed;
import dev.connectorevents.feed.EventFeed.Outcome;
import dev.connectorevents.feed.FeedCursor;
import dev.connectorevents.feed.FeedEntry;
import dev.connectorevents.feed.FeedWindow;
import dev.connectorevents.feed.ItemVersion;
import dev.connectorevents.feed.Whole;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
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
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;

/** Which entries the feed shows, and where its pages end. */
class FeedPagesTest {

  @AutoClose private static final Stores service = Endpoint.stores(Path.of("../template.yaml"));
  private static final Optional<String> NAME = Optional.of("00c0ffee");

  private static final String table = service.name("EventsTable");

  private final FollowedFeed feed = new FollowedFeed(service, service.dynamoDb());
  private final Tombstones tombstones = new Tombstones(service.dynamoDb(), table);
  private final EventWriter writer = new EventWriter(service.dynamoDb(), table);

  private static TestQuery asc() {
    return TestQuery.ofTypes("*").order(EventOrder.ASC);
  }

  private static TestQuery desc() {
    return TestQuery.ofTypes("*");
  }

  private Outcome outcome(Optional<FeedCursor> cursor, Optional<FeedCursor> until) {
    return feed.feed.page(asc().get(), Optional.empty(), new FeedWindow(cursor, until), 9);
  }

  private static Optional<FeedCursor> at(long position) {
    return Optional.of(new FeedCursor(NAME, position));
  }

  @Test
  @Promise("While the feed is empty, it is `0`, the beginning of every feed.")
  void a_feed_without_positions_begins_at_0() {
    assertThat(feed.page(asc(), Optional.empty(), 9))
        .isEqualTo(
            new Outcome.Page(
                List.of(),
                Optional.of(FeedCursor.BEGINNING),
                false,
                0,
                Optional.empty(),
                Optional.empty(),
                Duration.ZERO));
    assertThat(feed.page(desc(), Optional.empty(), 9))
        .isEqualTo(
            new Outcome.Page(
                List.of(),
                Optional.empty(),
                false,
                0,
                Optional.empty(),
                Optional.empty(),
                Duration.ZERO));
    assertThat(outcome(at(0), Optional.empty())).isEqualTo(new Outcome.ForeignCursor());
    assertThat(outcome(Optional.empty(), Optional.of(FeedCursor.BEGINNING)))
        .isInstanceOf(Outcome.Page.class);

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
    assertThat(third)
        .isEqualTo(
            new Outcome.Page(List.of(), at(5), false, 5, Optional.empty(), NAME, Duration.ZERO));
  }

  @Test
  void a_page_says_what_its_feed_holds_and_nothing_that_was_said_of_another() {
    feed.store("a.b");
    Whole whole = new Whole(NAME, "stream", 1, FollowedFeed.NOON, 1, Optional.empty());
    feed.log.replace(Optional.empty(), whole);
    feed.log.beforeRead =
        () -> {
          Whole later = new Whole(NAME, "stream", 2, FollowedFeed.NOON, 9, Optional.empty());
          feed.log.replace(Optional.of(whole), later);
        };

    assertThat(feed.page(asc(), Optional.empty(), 9).whole())
        .as("as it was read before the head")
        .contains(whole);
    feed.log.lose();
    feed.log.replace(Optional.empty(), whole);
    feed.store("a.b");
    assertThat(feed.page(asc(), Optional.empty(), 9).whole()).isEmpty();
  }

  @Test
  @Promise("Each event is in one share.")
  void shares_have_each_event_once_and_a_brand_in_one_and_all_have_the_erasures() {
    UUID erased = feed.storeOf("brand-1", "a.b");
    List<UUID> withoutBrand = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      feed.storeOf("brand-" + i % 10, "a.b");
      withoutBrand.add(feed.store("c.d"));
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
    for (int i = 1; i <= 30; i++) {
      assertThat(parts.get(shareOf(withoutBrand.get(i - 1).toString(), 3)))
          .as("without a brand, by its id")
          .contains(2L * i + 1);
    }
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

    assertThat(outcome(cursor, Optional.empty())).isEqualTo(new Outcome.ForeignCursor());
    assertThat(outcome(at(1), cursor)).isEqualTo(new Outcome.ForeignUntil());
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
  @Promise({"other events in lists and in the feed", "With `event_type`, both must hold"})
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
        "9, 12, ''",
      })
  @Promise("`numbered_at` is this time, and `from` and `to` compare it.")
  void times_are_those_of_the_positions(String from, String to, String positions) {
    for (int i = 0; i < 5; i++) {
      feed.store("a.b");
    }
    List<Long> expected =
        Stream.of(positions.split(" ", -1)).filter(it -> !it.isEmpty()).map(Long::valueOf).toList();
    TestQuery newest = desc();
    Optional.ofNullable(from).ifPresent(it -> newest.from(after(it)));
    Optional.ofNullable(to).ifPresent(it -> newest.to(after(it)));
    assertThat(feed.all(newest, 2)).isEqualTo(expected.reversed());
    if (to == null) {
      TestQuery oldest = asc();
      Optional.ofNullable(from).ifPresent(it -> oldest.from(after(it)));
      assertThat(feed.all(oldest, 2)).isEqualTo(expected);
    }
  }

  private static Instant after(String seconds) {
    return FollowedFeed.NOON.plus(Duration.parse("PT" + seconds + "S"));
  }

  /** Columns: where a window of the five begins and ends, a page's limit, and what it shows. */
  @ParameterizedTest
  @Promise({
    "With `until`, a cursor, a page of the feed shows nothing after that position.",
    "**windows join exactly**, whatever comes late."
  })
  @CsvSource(
      nullValues = "-",
      value = {
        "-, 0, 9, '', 0, false",
        "-, 3, 9, '1 2 3', 3, false",
        "-, 3, 2, '1 2', 2, true",
        "-, 3, 3, '1 2 3', 3, false",
        "3, 5, 9, '4 5', 5, false",
        "1, 4, 9, '2 3 4', 4, false",
        "4, 5, 9, '5', 5, false",
        "5, 5, 9, '', 5, false",
        "4, 2, 9, '', 4, false",
      })
  void a_window_ends_at_its_last_position(
      Long cursor, long until, int limit, String positions, long next, boolean hasMore) {
    for (int i = 0; i < 5; i++) {
      feed.store("a.b");
    }

    Outcome.Page page =
        (Outcome.Page)
            feed.feed.page(
                asc().get(),
                Optional.empty(),
                new FeedWindow(Optional.ofNullable(cursor).flatMap(FeedPagesTest::at), at(until)),
                limit);

    assertThat(FollowedFeed.positions(page).toString().replaceAll("[\\[\\],]", ""))
        .isEqualTo(positions);
    assertThat(page.next()).isEqualTo(at(next));
    assertThat(page.hasMore()).isEqualTo(hasMore);
    assertThat(page.head()).isEqualTo(5);
  }

  @Test
  void a_window_ends_also_where_its_last_events_are_left_out_or_its_times_begin_later() {
    for (String type : List.of("a.b", "c.d", "c.d", "a.b")) {
      feed.store(type);
    }
    FeedWindow window = new FeedWindow(Optional.empty(), at(3));

    for (TestQuery query :
        List.of(TestQuery.ofTypes("a.b").order(EventOrder.ASC), asc().from(after("3")))) {
      Outcome.Page page = (Outcome.Page) feed.feed.page(query.get(), Optional.empty(), window, 9);
      assertThat(page.next()).isEqualTo(at(3));
      assertThat(page.hasMore()).isFalse();
    }
  }

  /** Each read of a hundred events takes as long as large ones do. */
  @Test
  @Promise("After 5 s, what it has read of the events is the page")
  void a_page_ends_after_five_seconds_and_next_moves() {
    for (int i = 0; i < 230; i++) {
      feed.store("a.b");
    }
    Duration[] time = {Duration.ofSeconds(3)};
    EventFeed slow =
        feed.readBy(new SlowReads(service.dynamoDb(), () -> feed.clock.advance(time[0])));

    Outcome.Page page =
        (Outcome.Page) slow.page(asc().get(), Optional.empty(), FeedWindow.ALL, 999);
    time[0] = Duration.ofSeconds(9);
    Outcome.Page next =
        (Outcome.Page)
            slow.page(
                asc().get(), Optional.empty(), new FeedWindow(page.next(), Optional.empty()), 999);

    assertThat(page.entries()).hasSize(200);
    assertThat(page.next()).isEqualTo(at(200));
    assertThat(page.hasMore()).isTrue();
    assertThat(next.next()).as("one read at the least").isEqualTo(at(230));
  }

  private record SlowReads(DynamoDbClient real, Runnable read) implements FakeDynamoDb {

    @Override
    public BatchGetItemResponse batchGetItem(BatchGetItemRequest call) {
      read.run();
      return real.batchGetItem(call);
    }
  }

  /** By the contract: the first two bytes of the SHA-256, modulo n, plus 1. */
  private static int shareOf(String text, int parts) {
    byte[] hash = Sha256.of(text.getBytes(UTF_8));
    return (Byte.toUnsignedInt(hash[0]) * 256 + Byte.toUnsignedInt(hash[1])) % parts + 1;
  }

  @Test
  @Promise({
    "Erased events, events whose retention has passed, and events outside",
    "has a new position, and is absent at its old one"
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
    writer.set(renumbered, "renumbered_at", fromS("2026-11-21T00:00:00.000Z"));
    writer.set(replaced, "created_at", fromS("2026-11-21T00:00:00.000Z"));
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
          .containsExactly(
              new ListEntry.OfErasure(new FeedPosition(2, erasedAt.plusSeconds(1)), id, erasedAt));
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
