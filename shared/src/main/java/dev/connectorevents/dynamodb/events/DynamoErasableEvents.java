package dev.connectorevents.dynamodb.events;

import static dev.connectorevents.dynamodb.Calls.call;
import static dev.connectorevents.dynamodb.events.EventAttributes.EVENT_TYPE;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.dynamodb.events.WriteTimes.WriteTime;
import dev.connectorevents.event.ErasableEvent;
import dev.connectorevents.event.ErasableEvents;
import dev.connectorevents.event.ErasureSelector;
import dev.connectorevents.event.EventPosition;
import dev.connectorevents.event.EventTypes;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Gatherers;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * Erases events from the table of {@link DynamoEvents}.
 *
 * <p>One write puts the tombstone in place of the event and deletes its further items; an expired
 * event leaves no tombstone. The write is conditional on the event as it was read. So no reader
 * finds a part of an event.
 */
public final class DynamoErasableEvents implements ErasableEvents {

  private static final Instant EARLIEST = Instant.parse("0000-01-01T00:00:00Z");

  /** The most events of a page. */
  private static final int PAGE = 100;

  /** The most entries of an index that a page looks at: DynamoDB counts before it filters. */
  private static final int MOST_FILTERED = 2_500;

  /** The most events of a page with payloads: their items have up to 400 KB each. */
  private static final int PAGE_WITH_PAYLOADS = 10;

  /**
   * The most parts of one read. Each has up to 400 KB, and an answer is in memory several times.
   */
  private static final int PARTS_OF_A_READ = 3;

  private final DynamoDbClient dynamoDb;
  private final String table;
  private final BatchReads items;
  private final WriteTimes times;

  /** An event's first item, or the attributes of it that tell it from another event. */
  private record Head(Item item) implements ErasableEvent {

    @Override
    public UUID id() {
      return UUID.fromString(item.text("id"));
    }

    @Override
    public Instant createdAt() {
      return IndexKeys.position(item).createdAt();
    }
  }

  /**
   * @param pause waits for the given time between two reads of the same items
   */
  public DynamoErasableEvents(
      DynamoDbClient dynamoDb, String table, WriteTimes times, Consumer<Duration> pause) {
    this.dynamoDb = dynamoDb;
    this.table = table;
    this.items = new BatchReads(dynamoDb, table, pause);
    this.times = times;
  }

  @Override
  public Page page(
      ErasureSelector selector, Instant before, Optional<String> after, boolean hasPayloads) {
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
    int end = Math.min(begin + pageSize(hasPayloads), ids.size());
    List<String> wanted = ids.subList(begin, end).stream().map(UUID::toString).toList();
    Map<String, Item> found = items.get(wanted, attributes(hasPayloads));
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < wanted.size(); i++) {
      String next = Integer.toString(begin + i + 1);
      event(found.get(wanted.get(i)), before)
          .ifPresent(event -> entries.add(new Entry(event, next)));
    }
    return new Page(
        entries,
        wanted.size() - found.size(),
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
            .limit(filter.expression() == null ? pageSize(hasPayloads) : MOST_FILTERED)
            .exclusiveStartKey(place.startKey(brand))
            .build();
    QueryResponse read = call("Query on events", () -> dynamoDb.query(lane));
    List<EventPosition> passed =
        read.items().stream().map(Item::new).map(IndexKeys::position).toList();
    List<EventPosition> keys = passed.subList(0, Math.min(passed.size(), pageSize(hasPayloads)));
    List<String> ids = keys.stream().map(key -> key.id().toString()).distinct().toList();
    Map<String, Item> found = items.get(ids, attributes(hasPayloads));
    List<Entry> entries =
        keys.stream()
            .distinct()
            .flatMap(key ->
                event(found.get(key.id().toString()), before).stream()
                    .filter(event -> event.createdAt().equals(key.createdAt()))
                    .map(event -> new Entry(event, place.after(key).toString())))
            .toList();
    IndexPlace next = keys.size() < passed.size() ? place.after(keys.getLast()) : place.after(read);
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

  private static int pageSize(boolean hasPayloads) {
    return hasPayloads ? PAGE_WITH_PAYLOADS : PAGE;
  }

  private static KeysAndAttributes.Builder attributes(boolean hasPayloads) {
    return hasPayloads ? KeysAndAttributes.builder() : EventItem.version();
  }

  /** Empty if there is none, or a tombstone, or a younger event. */
  private static Optional<ErasableEvent> event(@Nullable Item item, Instant before) {
    return Optional.ofNullable(item)
        .filter(it -> !Tombstone.isOne(it))
        .<ErasableEvent>map(Head::new)
        .filter(event -> event.createdAt().isBefore(before));
  }

  @Override
  public Optional<ErasableEvent> read(UUID id) {
    String text = id.toString();
    return Optional.ofNullable(items.get(List.of(text), KeysAndAttributes.builder()).get(text))
        .filter(item -> !Tombstone.isOne(item))
        .map(Head::new);
  }

  @Override
  public Optional<InputStream> payload(ErasableEvent event) throws IOException {
    Item head = item(event);
    List<String> ids = StoredPayload.partIds(head);
    Map<String, Item> parts = new HashMap<>();
    ids.stream()
        .gather(Gatherers.windowFixed(PARTS_OF_A_READ))
        .forEach(window -> parts.putAll(items.get(window, KeysAndAttributes.builder())));
    return parts.size() < ids.size()
        ? Optional.empty()
        : Optional.of(StoredPayload.stream(head, ids.stream().map(parts::get).toList()));
  }

  @Override
  public EraseOutcome erase(ErasableEvent event, UUID erasureId) {
    Item head = item(event);
    WriteTime time = times.begin();
    boolean isExpired = EventItem.isExpired(head, time.at());
    List<TransactWriteItem> writes = new ArrayList<>();
    writes.add(
        isExpired
            ? deletion(head.text("id"), isStill(head))
            : replacement(Tombstone.of(head, erasureId, time.at()), isStill(head)));
    StoredPayload.partIds(head).forEach(id -> writes.add(deletion(id, Condition.NONE)));
    try {
      time.deadline()
          .bound(() ->
              call(
                  "TransactWriteItems on events",
                  () -> dynamoDb.transactWriteItems(write -> write.transactItems(writes))));
      return isExpired ? EraseOutcome.EXPIRED : EraseOutcome.ERASED;
    } catch (TransactionCanceledException e) { // only for its condition
      return EraseOutcome.CHANGED;
    }
  }

  private static Item item(ErasableEvent event) {
    return ((Head) event).item();
  }

  private TransactWriteItem deletion(String id, Condition condition) {
    return TransactWriteItem.builder()
        .delete(delete ->
            delete
                .tableName(table)
                .key(Map.of("id", fromS(id)))
                .conditionExpression(condition.expression())
                .expressionAttributeNames(condition.names())
                .expressionAttributeValues(condition.values()))
        .build();
  }

  private TransactWriteItem replacement(Item tombstone, Condition condition) {
    return TransactWriteItem.builder()
        .put(put ->
            put.tableName(table)
                .item(tombstone.attributes())
                .conditionExpression(condition.expression())
                .expressionAttributeNames(condition.names())
                .expressionAttributeValues(condition.values()))
        .build();
  }

  /** What must hold for a write; nothing if its members are null. */
  private record Condition(
      @Nullable String expression,
      @Nullable Map<String, String> names,
      @Nullable Map<String, AttributeValue> values) {
    static final Condition NONE = new Condition(null, null, null);
  }

  /** Holds while the item is the one that was read: a freed key may have got a new event. */
  private static Condition isStill(Item head) {
    List<String> terms = new ArrayList<>();
    Map<String, AttributeValue> values = new HashMap<>();
    EventItem.VERSION.forEach((placeholder, name) -> {
      AttributeValue value = head.attributes().get(name);
      if (value == null) {
        terms.add("attribute_not_exists(" + placeholder + ")");
      } else {
        terms.add(placeholder + " = :" + name);
        values.put(":" + name, value);
      }
    });
    return new Condition(String.join(" AND ", terms), EventItem.VERSION, values);
  }

  @Override
  public Set<UUID> erased(Collection<UUID> ids) {
    return items
        .get(ids.stream().map(UUID::toString).toList(), Tombstone.presence())
        .values()
        .stream()
        .filter(Tombstone::isOne)
        .map(item -> UUID.fromString(item.text("id")))
        .collect(Collectors.toSet());
  }
}
