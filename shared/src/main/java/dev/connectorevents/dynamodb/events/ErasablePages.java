package dev.connectorevents.dynamodb.events;

import static dev.connectorevents.dynamodb.Calls.call;
import static dev.connectorevents.dynamodb.events.EventAttributes.EVENT_TYPE;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.event.ErasableEvent;
import dev.connectorevents.event.ErasableEvents;
import dev.connectorevents.event.ErasableEvents.Entry;
import dev.connectorevents.event.ErasableEvents.Page;
import dev.connectorevents.event.ErasureSelector;
import dev.connectorevents.event.EventPosition;
import dev.connectorevents.event.EventTypes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;

/**
 * Finds the events of an erasure, page by page.
 *
 * @param items reads the table that the pages are of
 */
record ErasablePages(DynamoDbClient dynamoDb, String table, BatchReads items) {

  private static final Instant EARLIEST = Instant.parse("0000-01-01T00:00:00Z");

  /** The most events of a page. */
  private static final int PAGE = 100;

  /** The most entries of an index that a page looks at: DynamoDB counts before it filters. */
  private static final int MOST_FILTERED = 2_500;

  /** The most events with payloads that are read at once: their items have up to 400 KB each. */
  private static final int PAYLOADS_OF_A_READ = 20;

  /** A page ends with the read after which its items have so many bytes. */
  private static final long ENOUGH_BYTES = 4 << 20;

  /**
   * What was read of a page.
   *
   * @param ids how many ids were read, of those that were asked for
   */
  private record Read(int ids, Map<String, Item> items) {}

  /** As {@link ErasableEvents#page}. */
  Page page(ErasureSelector selector, Instant before, Optional<String> after, boolean hasPayloads) {
    return switch (selector) {
      case ErasureSelector.Ids(List<UUID> ids) -> pageOf(ids, before, after, hasPayloads);
      case ErasureSelector.Brand(String brand) ->
          indexed(Optional.of(brand), IndexFilter.NONE, EARLIEST, before, after, hasPayloads);
      case ErasureSelector.Sender(
              UUID userId,
              Instant from,
              Instant to,
              Optional<EventTypes> types) ->
          indexed(
              Optional.empty(),
              IndexFilter.of(userId, types),
              from,
              to.isBefore(before) ? to : before,
              after,
              hasPayloads);
      case ErasureSelector.All _ -> scan(before, after);
    };
  }

  private Page pageOf(List<UUID> ids, Instant before, Optional<String> after, boolean hasPayloads) {
    int begin = after.map(Integer::parseInt).orElse(0);
    List<String> wanted = ids.subList(begin, ids.size()).stream().map(UUID::toString).toList();
    Read read = read(wanted, hasPayloads);
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < read.ids(); i++) {
      String next = Integer.toString(begin + i + 1);
      event(read.items().get(wanted.get(i)), before)
          .ifPresent(event -> entries.add(new Entry(event, next)));
    }
    int end = begin + read.ids();
    return new Page(
        entries,
        read.ids() - read.items().size(),
        end < ids.size() ? Optional.of(Integer.toString(end)) : Optional.empty());
  }

  /**
   * Queries one lane after the other: the order of the events does not matter here. Leaves out
   * events whose id belongs to another event by now, which may be of another brand or sender.
   *
   * @param brand empty for the events of all brands
   */
  private Page indexed(
      Optional<String> brand,
      IndexFilter filter,
      Instant from,
      Instant before,
      Optional<String> after,
      boolean hasPayloads) {
    if (!from.isBefore(before)) {
      return new Page(List.of(), 0, Optional.empty());
    }
    List<QueryRequest.Builder> lanes =
        IndexKeys.queries(brand, from, before.minusMillis(1), filter).toList();
    IndexPlace place = after.map(IndexPlace::parse).orElse(IndexPlace.FIRST);
    QueryRequest lane =
        lanes
            .get(place.lane())
            .tableName(table)
            .limit(filter.expression() == null ? PAGE : MOST_FILTERED)
            .exclusiveStartKey(place.startKey(brand))
            .build();
    QueryResponse found = call("Query on events", () -> dynamoDb.query(lane));
    List<EventPosition> passed =
        found.items().stream().map(Item::new).map(IndexKeys::position).toList();
    Read read =
        read(passed.stream().limit(PAGE).map(key -> key.id().toString()).toList(), hasPayloads);
    List<EventPosition> keys = passed.subList(0, read.ids());
    List<Entry> entries =
        keys.stream()
            .distinct()
            .flatMap(key ->
                event(read.items().get(key.id().toString()), before).stream()
                    .filter(event -> event.createdAt().equals(key.createdAt()))
                    .map(event -> new Entry(event, place.after(key).toString())))
            .toList();
    IndexPlace next =
        keys.size() < passed.size() ? place.after(keys.getLast()) : place.after(found);
    return new Page(
        entries,
        0, // an entry without an item belongs to an event that is gone
        next.lane() < lanes.size() ? Optional.of(next.toString()) : Optional.empty());
  }

  private Page scan(Instant before, Optional<String> after) {
    ScanResponse read =
        call(
            "Scan on events",
            () ->
                dynamoDb.scan(scan -> {
                  scan.tableName(table)
                      .consistentRead(true)
                      .limit(PAGE)
                      .filterExpression("attribute_exists(" + EVENT_TYPE + ")");
                  after.ifPresent(id -> scan.exclusiveStartKey(Map.of("id", fromS(id))));
                }));
    return new Page(
        read.items().stream()
            .flatMap(item -> event(new Item(item), before).stream())
            .map(event -> new Entry(event, event.id().toString()))
            .toList(),
        0,
        read.hasLastEvaluatedKey() && !read.lastEvaluatedKey().isEmpty()
            ? Optional.of(new Item(read.lastEvaluatedKey()).text("id"))
            : Optional.empty());
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

  /** Empty if there is none, or a tombstone, or a younger event. */
  private static Optional<ErasableEvent> event(@Nullable Item item, Instant before) {
    return ErasableItem.of(item).filter(event -> event.createdAt().isBefore(before));
  }
}
