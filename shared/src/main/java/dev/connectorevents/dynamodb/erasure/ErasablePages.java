package dev.connectorevents.dynamodb.erasure;

import static dev.connectorevents.dynamodb.Calls.call;
import static dev.connectorevents.dynamodb.events.EventAttributes.CREATED_AT;
import static dev.connectorevents.dynamodb.events.EventAttributes.EVENT_TYPE;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.dynamodb.events.BatchReads;
import dev.connectorevents.dynamodb.events.BrandIndex;
import dev.connectorevents.dynamodb.events.EventItem;
import dev.connectorevents.dynamodb.events.ItemSize;
import dev.connectorevents.erasure.ErasableEvent;
import dev.connectorevents.erasure.ErasableEvents;
import dev.connectorevents.erasure.ErasableEvents.Entry;
import dev.connectorevents.erasure.ErasableEvents.OtherFeedException;
import dev.connectorevents.erasure.ErasableEvents.Page;
import dev.connectorevents.erasure.ErasableEvents.Search;
import dev.connectorevents.erasure.ErasableEvents.Source;
import dev.connectorevents.erasure.ErasableEvents.UnknownPlaceException;
import dev.connectorevents.erasure.ErasureSelector;
import dev.connectorevents.event.EventOrder;
import dev.connectorevents.event.EventPlace;
import dev.connectorevents.event.Timestamp;
import dev.connectorevents.feed.BrandHash;
import dev.connectorevents.feed.FeedEntry;
import dev.connectorevents.feed.FeedReader;
import dev.connectorevents.feed.Segment;
import dev.connectorevents.feed.Whole;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;

/** Finds the events of an erasure, page by page. */
final class ErasablePages {

  /** The most events of a page. */
  private static final int PAGE = BatchReads.MAX_KEYS;

  /** The most events with payloads that are read at once: their items have up to 400 KB each. */
  private static final int PAYLOADS_OF_A_READ = 20;

  /** A page ends with the read after which its items have so many bytes. */
  private static final long ENOUGH_BYTES = 4 << 20;

  /** Begins a place in the feed; its position follows, unless the feed is still to begin. */
  private static final String FEED = "feed";

  /** No feed comes so far. */
  private static final long END_OF_ALL = 1L << 60;

  /** In characters: a UUID, and the number of a part. */
  private static final int LONGEST_ID = 100;

  private final DynamoDbClient dynamoDb;
  private final String table;
  private final BatchReads items;
  private final FeedReader feed;

  /**
   * @param items reads the same table
   */
  ErasablePages(DynamoDbClient dynamoDb, String table, BatchReads items, FeedReader feed) {
    this.dynamoDb = dynamoDb;
    this.table = table;
    this.items = items;
    this.feed = feed;
  }

  /**
   * What was read of a page.
   *
   * @param ids how many ids were read, of those that were asked for
   */
  private record Read(int ids, Map<String, Item> items) {}

  /**
   * A place in the lanes of a brand, one lane after the other. As text, its parts are separated by
   * spaces.
   *
   * @param last the last entry before the place; empty at the beginning of the lane
   */
  private record LanePlace(int lane, Optional<EventPlace> last) {

    static final LanePlace FIRST = new LanePlace(0, Optional.empty());

    static LanePlace parse(String text) {
      String[] parts = text.split(" ", 3);
      return new LanePlace(
          Objects.checkIndex(Integer.parseInt(parts[0]), BrandIndex.LANES),
          parts.length < 3
              ? Optional.empty()
              : Optional.of(new EventPlace(Instant.parse(parts[1]), UUID.fromString(parts[2]))));
    }

    String text() {
      return last.map(it -> lane + " " + Timestamp.of(it.createdAt()) + " " + it.id())
          .orElse(Integer.toString(lane));
    }
  }

  /**
   * A place in two readings of the feed: for the providers of a brand, then for their events.
   *
   * @param at a position of the first reading, or a place of the second
   * @param providers those that are known
   */
  private record ProvidersPlace(String at, Set<String> providers) {

    static final ProvidersPlace FIRST = new ProvidersPlace("0", Set.of());

    static ProvidersPlace parse(String text) {
      String[] parts = text.split(" ", 2);
      return new ProvidersPlace(parts[0], Set.of(parts[1].split(",")));
    }

    String text() {
      return at + " " + String.join(",", providers);
    }
  }

  /** Reads a place that a caller may have made up. */
  private static <T> T placed(Supplier<T> place) {
    try {
      return place.get();
    } catch (IllegalArgumentException | DateTimeException | IndexOutOfBoundsException e) {
      throw new UnknownPlaceException(e);
    }
  }

  /** As {@link ErasableEvents#page}. */
  Page page(Search search, Optional<String> after) {
    return switch (search.selector()) {
      case ErasureSelector.Ids(List<UUID> ids) -> pageOf(ids, search, after);
      case ErasureSelector.All _ -> scan(search, after);
      case ErasureSelector.Brand(String brand) ->
          switch (search.source()) {
            case Source.Table() -> scan(search, after);
            case Source.UpTo(Optional<Whole> whole)
                when after.filter(place -> place.startsWith(FEED)).isPresent() ->
                ofFeed(
                    search,
                    after,
                    search.before().minus(ErasableEvents.INDEX_LAG.plus(FeedReader.CLOCKS)),
                    whole.map(Whole::head),
                    ofBrand(brand));
            case Source.AsItIs _, Source.UpTo _ ->
                indexed(
                    brand,
                    search,
                    placed(() -> after.map(LanePlace::parse).orElse(LanePlace.FIRST)));
          };
      case ErasureSelector.WithoutBrand(String brand) ->
          withoutBrand(
              brand,
              search,
              placed(() -> after.map(ProvidersPlace::parse).orElse(ProvidersPlace.FIRST)));
      case ErasureSelector.Sender sender ->
          switch (search.source()) {
            case Source.Table() -> scan(search, after);
            case Source.UpTo(Optional<Whole> whole) ->
                ofFeed(search, after, search.from(), whole.map(Whole::head), ofSender(sender));
            case Source.AsItIs() ->
                ofFeed(search, after, search.from(), Optional.of(Long.MAX_VALUE), ofSender(sender));
          };
    };
  }

  private Page pageOf(List<UUID> ids, Search search, Optional<String> after) {
    int begin = placed(() -> after.map(Integer::parseInt).orElse(0));
    List<String> wanted =
        placed(() -> ids.subList(begin, ids.size())).stream().map(UUID::toString).toList();
    Read read = read(wanted, search.hasPayloads());
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < read.ids(); i++) {
      String next = Integer.toString(begin + i + 1);
      event(read.items().get(wanted.get(i)), search)
          .ifPresent(event -> entries.add(new Entry(event, next)));
    }
    int end = begin + read.ids();
    return end < ids.size()
        ? new Page(entries, Optional.of(Integer.toString(end)))
        : new Page(entries, Optional.empty());
  }

  private static Predicate<FeedEntry.OfEvent> ofBrand(String brand) {
    Optional<BrandHash> hash = Optional.of(BrandHash.of(brand)); // once, not for each entry
    return entry -> entry.brand().equals(hash);
  }

  private static Predicate<FeedEntry.OfEvent> ofSender(ErasureSelector.Sender sender) {
    return entry ->
        entry.userId().equals(sender.userId())
            && sender.types().filter(it -> !it.contains(entry.type())).isEmpty();
  }

  /**
   * Queries one lane after the other: the order of the events does not matter here. Leaves out
   * events whose id belongs to another event by now, which may be of another brand.
   */
  private Page indexed(String brand, Search search, LanePlace place) {
    Instant last = search.before().minusMillis(1);
    place.last().ifPresent(it -> placed(() -> within(it.createdAt(), search)));
    QueryRequest lane =
        BrandIndex.queries(table, brand, search.from(), last).toList().get(place.lane());
    QueryRequest.Builder query =
        lane.toBuilder().limit(PAGE).returnConsumedCapacity(items.capacity());
    place
        .last()
        .ifPresent(it -> query.exclusiveStartKey(BrandIndex.startKey(brand, place.lane(), it)));
    QueryResponse found = call("Query on events", () -> dynamoDb.query(query.build()));
    items.meter(found.consumedCapacity());
    List<EventPlace> keys =
        found.items().stream().map(Item::new).map(BrandIndex::place).distinct().toList();
    Read read = read(keys.stream().map(key -> key.id().toString()).toList(), search.hasPayloads());
    List<Entry> entries =
        keys.stream()
            .limit(read.ids())
            .flatMap(key ->
                event(read.items().get(key.id().toString()), search).stream()
                    .filter(event -> event.createdAt().equals(key.createdAt()))
                    .map(event -> new Entry(event, at(place.lane(), key))))
            .toList();
    if (read.ids() < keys.size()) {
      return new Page(entries, Optional.of(at(place.lane(), keys.get(read.ids() - 1))));
    }
    Optional<EventPlace> end = Item.afterPage(found.lastEvaluatedKey()).map(BrandIndex::place);
    if (end.isPresent()) {
      return new Page(entries, end.map(it -> at(place.lane(), it)));
    }
    if (place.lane() + 1 < BrandIndex.LANES) {
      String next = new LanePlace(place.lane() + 1, Optional.empty()).text();
      return new Page(entries, Optional.of(next));
    }
    return new Page(
        entries, search.source() instanceof Source.UpTo ? Optional.of(FEED) : Optional.empty());
  }

  /** DynamoDB refuses a place that the query would not come to. */
  private static Instant within(Instant time, Search search) {
    if (time.isBefore(search.from()) || !time.isBefore(search.before())) {
      throw new IllegalArgumentException(time.toString());
    }
    return time;
  }

  private static String at(int lane, EventPlace last) {
    return new LanePlace(lane, Optional.of(last)).text();
  }

  /** The feed knows the providers of a brand also when all of its events are erased. */
  private Page withoutBrand(String brand, Search search, ProvidersPlace place) {
    if (place.at().startsWith(FEED)) {
      Page page =
          ofFeed(
              search,
              Optional.of(place.at()),
              search.from(),
              Optional.of(Long.MAX_VALUE),
              event ->
                  event.brand().isEmpty() && place.providers().contains(event.type().provider()));
      return new Page(
          page.entries().stream()
              .map(it ->
                  new Entry(it.event(), new ProvidersPlace(it.next(), place.providers()).text()))
              .toList(),
          page.next().map(at -> new ProvidersPlace(at, place.providers()).text()));
    }
    Set<String> providers = new HashSet<>(place.providers());
    Predicate<FeedEntry.OfEvent> isOfBrand = ofBrand(brand);
    FeedReader.Found found =
        feed.find(
            EventOrder.ASC,
            placed(() -> position(place.at())) + 1,
            FeedReader.Bounds.NONE,
            placed ->
                placed.entry() instanceof FeedEntry.OfEvent event
                    && isOfBrand.test(event)
                    && providers.add(event.type().provider()),
            PAGE);
    String at = found.judged() < found.head() ? Long.toString(found.judged()) : FEED;
    return new Page(List.of(), Optional.of(new ProvidersPlace(at, providers).text()));
  }

  /**
   * Reads the feed up to its head.
   *
   * @param from where to begin, unless {@code after} has a position
   * @param head the last position to read; empty if it is not known yet
   * @param passes judges an entry
   */
  private Page ofFeed(
      Search search,
      Optional<String> after,
      Instant from,
      Optional<Long> head,
      Predicate<FeedEntry.OfEvent> passes) {
    if (head.isEmpty()) {
      return new Page(List.of(), after, true);
    }
    long begin =
        after
            .filter(place -> !place.equals(FEED))
            .map(place -> placed(() -> positionOf(place)))
            .orElseGet(() -> feed.positionBeforeCreated(from));
    FeedReader.Found found =
        feed.find(
            EventOrder.ASC,
            begin + 1,
            new FeedReader.Bounds(Optional.empty(), Optional.empty(), head.get()),
            placed -> placed.entry() instanceof FeedEntry.OfEvent event && passes.test(event),
            PAGE);
    if (search.source() instanceof Source.UpTo(Optional<Whole> whole)
        && !whole.orElseThrow().isOf(found.last())) {
      throw new OtherFeedException();
    }
    List<Segment.Placed> all = found.entries();
    Read read =
        read(
            all.stream().map(it -> it.entry().version().id().toString()).toList(),
            search.hasPayloads());
    List<Entry> entries =
        all.stream()
            .limit(read.ids())
            .flatMap(each ->
                Optional.ofNullable(read.items().get(each.entry().version().id().toString()))
                    .flatMap(item -> event(item, search))
                    .map(event -> new Entry(event, FEED + each.position()))
                    .stream())
            .toList();
    boolean isRead = read.ids() == all.size();
    long end = isRead ? found.judged() : all.get(read.ids()).position() - 1;
    return new Page(
        entries,
        isRead && end >= Math.min(found.head(), head.get())
            ? Optional.empty()
            : Optional.of(FEED + end));
  }

  private static long positionOf(String place) {
    if (!place.startsWith(FEED)) {
      throw new IllegalArgumentException(place);
    }
    return position(place.substring(FEED.length()));
  }

  private static long position(String text) {
    return Objects.checkIndex(Long.parseLong(text), END_OF_ALL);
  }

  private Page scan(Search search, Optional<String> after) {
    after.ifPresent(id -> placed(() -> Objects.checkIndex(id.length() - 1, LONGEST_ID)));
    ScanResponse read =
        call(
            "Scan on events",
            () ->
                dynamoDb.scan(scan -> {
                  scan.tableName(table)
                      .consistentRead(true)
                      .limit(PAGE)
                      .returnConsumedCapacity(items.capacity())
                      .filterExpression(
                          "attribute_exists(%s) AND %s BETWEEN :from AND :before"
                              .formatted(EVENT_TYPE, CREATED_AT))
                      .expressionAttributeValues(
                          Map.of(
                              ":from",
                              fromS(Timestamp.of(search.from())),
                              ":before",
                              fromS(Timestamp.of(search.before()))));
                  after.ifPresent(id -> scan.exclusiveStartKey(Map.of("id", fromS(id))));
                }));
    items.meter(read.consumedCapacity());
    Optional<String> next = Item.afterPage(read.lastEvaluatedKey()).map(key -> key.text("id"));
    return new Page(
        read.items().stream()
            .flatMap(item -> event(new Item(item), search).stream())
            .map(event -> new Entry(event, event.id().toString()))
            .toList(),
        next);
  }

  /** Reads the items of the first ids, until the page is full. */
  private Read read(List<String> ids, boolean hasPayloads) {
    Map<String, Item> found = new HashMap<>();
    int read = 0;
    long bytes = 0;
    while (read < ids.size() && bytes < ENOUGH_BYTES) {
      List<String> next =
          ids.stream().skip(read).limit(hasPayloads ? PAYLOADS_OF_A_READ : PAGE).toList();
      Map<String, Item> more =
          items.get(next.stream().distinct().toList(), attributes(hasPayloads));
      bytes += more.values().stream().mapToLong(ItemSize::of).sum();
      found.putAll(more);
      read += next.size();
    }
    return new Read(read, found);
  }

  private static KeysAndAttributes.Builder attributes(boolean hasPayloads) {
    return hasPayloads ? KeysAndAttributes.builder() : EventItem.version();
  }

  /** Empty if there is none, or a tombstone, or an event of another time. */
  private static Optional<ErasableEvent> event(@Nullable Item item, Search search) {
    return ErasableItem.of(item)
        .filter(event -> !event.createdAt().isBefore(search.from()))
        .filter(event -> event.createdAt().isBefore(search.before()));
  }
}
