package dev.connectorevents.dynamodb.events;

import static dev.connectorevents.dynamodb.Calls.call;

import dev.connectorevents.SideBySide;
import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.event.EventList;
import dev.connectorevents.event.EventPage;
import dev.connectorevents.event.EventPosition;
import dev.connectorevents.event.EventQuery;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/**
 * Lists events from an index of the table of {@link DynamoEvents}: it queries all shards side by
 * side, merges their keys, and reads the events of the page from the table.
 *
 * <p>One position bounds every shard, so a page needs no state of its shards.
 */
public final class DynamoEventList implements EventList {

  private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999Z");

  private final DynamoDbClient dynamoDb;
  private final String table;
  private final InstantSource clock;
  private final SideBySide sideBySide;
  private final BatchReads heads;

  /**
   * Keys of a shard, newest first.
   *
   * @param end keys of this time and before are missing
   */
  private record Keys(List<EventPosition> keys, Instant end) {}

  /**
   * @param sideBySide runs the queries of one page
   * @param pause waits for the given time between two reads of the same items
   */
  public DynamoEventList(
      DynamoDbClient dynamoDb,
      String table,
      InstantSource clock,
      SideBySide sideBySide,
      Consumer<Duration> pause) {
    this.dynamoDb = dynamoDb;
    this.table = table;
    this.clock = clock;
    this.sideBySide = sideBySide;
    this.heads = new BatchReads(dynamoDb, table, pause);
  }

  @Override
  public EventPage list(EventQuery query, Optional<EventPosition> after, int limit) {
    Instant from = query.from().orElse(FIRST);
    Instant to =
        after
            .map(EventPosition::createdAt)
            .orElseGet(() -> query.to().map(time -> time.minusMillis(1)).orElse(LAST));
    if (to.isBefore(from)) {
      return new EventPage(List.of(), Optional.empty());
    }
    List<Keys> shards =
        sideBySide.run(
            IndexKeys.queries(query.filter(), from, to)
                .map(of -> of.tableName(table).scanIndexForward(false).limit(limit + 1).build())
                .toList(),
            ofShard -> keys(ofShard, after));
    return page(shards, limit);
  }

  /**
   * Reads a shard's newest keys. A query may end within a millisecond, and DynamoDB orders the keys
   * of one millisecond as it likes: so the last millisecond is left out, unless there is no other.
   */
  private Keys keys(QueryRequest shard, Optional<EventPosition> after) {
    List<EventPosition> found = new ArrayList<>();
    QueryRequest next = shard;
    while (true) {
      QueryRequest asked = next;
      QueryResponse read = call("Query on events", () -> dynamoDb.query(asked));
      read.items().stream().map(Item::new).map(IndexKeys::position).forEach(found::add);
      boolean isLast = !read.hasLastEvaluatedKey() || read.lastEvaluatedKey().isEmpty();
      Instant end = isLast || found.isEmpty() ? Instant.MIN : found.getLast().createdAt();
      List<EventPosition> keys =
          found.stream()
              .filter(key -> key.createdAt().isAfter(end))
              .filter(key -> after.isEmpty() || key.isAfter(after.get()))
              .toList();
      if (isLast || !keys.isEmpty()) {
        return new Keys(keys, end);
      }
      next = shard.toBuilder().exclusiveStartKey(read.lastEvaluatedKey()).build();
    }
  }

  /** Takes only keys after which no shard has others that it has not read. */
  private EventPage page(List<Keys> shards, int limit) {
    Instant end = shards.stream().map(Keys::end).max(Comparator.naturalOrder()).orElseThrow();
    List<EventPosition> known =
        shards.stream()
            .flatMap(shard -> shard.keys().stream())
            .filter(key -> key.createdAt().isAfter(end))
            .sorted()
            .toList();
    List<EventPosition> page = known.subList(0, Math.min(limit, known.size()));
    boolean hasMore = known.size() > limit || end.isAfter(Instant.MIN);
    return new EventPage(events(page), hasMore ? Optional.of(page.getLast()) : Optional.empty());
  }

  /**
   * Leaves out events that were erased or have expired, or whose id belongs to a newer event by
   * now. The index may still have their keys.
   */
  private List<EventPage.ListedEvent> events(List<EventPosition> page) {
    List<String> ids = page.stream().map(key -> key.id().toString()).distinct().toList();
    Map<String, Item> items = heads.get(ids, EventItem.head());
    Instant now = clock.instant();
    return page.stream()
        .flatMap(key ->
            Optional.ofNullable(items.get(key.id().toString()))
                .filter(item -> EventItem.erasedAt(item).isEmpty())
                .filter(
                    item -> IndexKeys.position(item).equals(key) && !EventItem.isExpired(item, now))
                .stream())
        .map(item -> new EventPage.ListedEvent(EventItem.event(item), EventItem.userId(item)))
        .toList();
  }
}
