package dev.connectorevents.dynamodb.erasure;

import static dev.connectorevents.dynamodb.Calls.call;
import static dev.connectorevents.dynamodb.events.EventAttributes.ERASED_AT;
import static dev.connectorevents.dynamodb.events.EventAttributes.ERASURE_ID;
import static dev.connectorevents.dynamodb.events.EventAttributes.EXPIRES_AT;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.dynamodb.Condition;
import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.dynamodb.events.BatchReads;
import dev.connectorevents.dynamodb.events.DynamoEvents;
import dev.connectorevents.dynamodb.events.EventItem;
import dev.connectorevents.dynamodb.events.StoredPayload;
import dev.connectorevents.dynamodb.events.Tombstone;
import dev.connectorevents.erasure.ErasableEvent;
import dev.connectorevents.erasure.ErasableEvents;
import dev.connectorevents.feed.FeedLog;
import dev.connectorevents.feed.FeedReader;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import java.util.stream.Collectors;
import java.util.stream.Gatherers;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
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

  /**
   * The most parts of one read. Each has up to 400 KB, and an answer is in memory several times.
   */
  private static final int PARTS_OF_A_READ = 3;

  private final DynamoDbClient dynamoDb;
  private final String table;
  private final FeedLog feed;
  private final InstantSource clock;
  private final Consumer<Duration> pause;
  private final BatchReads items;
  private final ErasablePages pages;

  /**
   * @param feed finds what a user has sent, and what the index may lack
   * @param pause waits for the given time between two reads of the same items
   */
  public DynamoErasableEvents(
      DynamoDbClient dynamoDb,
      String table,
      FeedLog feed,
      InstantSource clock,
      Consumer<Duration> pause) {
    this(dynamoDb, table, feed, clock, pause, Optional.empty());
  }

  private DynamoErasableEvents(
      DynamoDbClient dynamoDb,
      String table,
      FeedLog feed,
      InstantSource clock,
      Consumer<Duration> pause,
      Optional<DoubleConsumer> readUnits) {
    this.dynamoDb = dynamoDb;
    this.table = table;
    this.feed = feed;
    this.clock = clock;
    this.pause = pause;
    this.items = new BatchReads(dynamoDb, table, pause, readUnits);
    this.pages = new ErasablePages(dynamoDb, table, items, new FeedReader(feed, clock));
  }

  @Override
  public ErasableEvents metered(DoubleConsumer readUnits) {
    return new DynamoErasableEvents(dynamoDb, table, feed, clock, pause, Optional.of(readUnits));
  }

  @Override
  public Page page(Search search, Optional<String> after) {
    return pages.page(search, after);
  }

  @Override
  public Optional<ErasableEvent> read(UUID id) {
    String text = id.toString();
    return ErasableItem.of(items.get(List.of(text), KeysAndAttributes.builder()).get(text));
  }

  @Override
  public Optional<Stored> stored(UUID id) {
    String text = id.toString();
    return Optional.ofNullable(items.get(List.of(text), KeysAndAttributes.builder()).get(text))
        .map(item -> {
          Optional<Instant> expiresAt =
              item.has(EXPIRES_AT)
                  ? Optional.of(Instant.ofEpochSecond(item.number(EXPIRES_AT, 0)))
                  : Optional.empty();
          int parts = StoredPayload.erasablePartIds(item).size();
          return ErasableItem.of(item)
              .<Stored>map(event -> new Stored.OfEvent(event, 1 + parts, expiresAt))
              .orElseGet(() ->
                  new Stored.OfTombstone(
                      Instant.parse(item.text(ERASED_AT)),
                      UUID.fromString(item.text(ERASURE_ID)),
                      expiresAt));
        });
  }

  @Override
  public Optional<InputStream> payload(ErasableEvent event) throws IOException {
    Item head = item(event);
    List<String> ids;
    try {
      ids = StoredPayload.partIds(head);
    } catch (IllegalArgumentException e) {
      throw new IOException("the item is damaged", e);
    }
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
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    boolean isExpired = EventItem.isExpired(head, now);
    List<TransactWriteItem> writes = new ArrayList<>();
    writes.add(
        isExpired
            ? deletion(head.text("id"), isStill(head))
            : replacement(Tombstone.of(head, erasureId, now), isStill(head)));
    StoredPayload.erasablePartIds(head).forEach(id -> writes.add(deletion(id, Condition.NONE)));
    try {
      call(
          "TransactWriteItems on events",
          () -> dynamoDb.transactWriteItems(write -> write.transactItems(writes)));
      return isExpired ? EraseOutcome.EXPIRED : EraseOutcome.ERASED;
    } catch (TransactionCanceledException e) { // only for its condition
      return EraseOutcome.CHANGED;
    }
  }

  private static Item item(ErasableEvent event) {
    return ((ErasableItem) event).item();
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

  private static Condition isStill(Item head) {
    return Condition.isStill(head, EventItem.VERSION);
  }

  @Override
  public Set<UUID> erased(Collection<UUID> ids) {
    return ids.stream()
        .map(UUID::toString)
        .gather(Gatherers.windowFixed(BatchReads.MAX_KEYS))
        .flatMap(some -> items.get(some, Tombstone.presence()).values().stream())
        .filter(Tombstone::isOne)
        .map(item -> UUID.fromString(item.text("id")))
        .collect(Collectors.toSet());
  }
}
