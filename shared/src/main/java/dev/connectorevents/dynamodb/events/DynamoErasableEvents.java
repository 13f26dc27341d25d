package dev.connectorevents.dynamodb.events;

import static dev.connectorevents.dynamodb.Calls.call;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.dynamodb.events.WriteTimes.WriteTime;
import dev.connectorevents.event.ErasableEvent;
import dev.connectorevents.event.ErasableEvents;
import dev.connectorevents.event.ErasureSelector;
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
  private final BatchReads items;
  private final ErasablePages pages;
  private final WriteTimes times;

  /**
   * @param pause waits for the given time between two reads of the same items
   */
  public DynamoErasableEvents(
      DynamoDbClient dynamoDb, String table, WriteTimes times, Consumer<Duration> pause) {
    this.dynamoDb = dynamoDb;
    this.table = table;
    this.items = new BatchReads(dynamoDb, table, pause);
    this.pages = new ErasablePages(dynamoDb, table, items);
    this.times = times;
  }

  @Override
  public Page page(
      ErasureSelector selector, Instant before, Optional<String> after, boolean hasPayloads) {
    return pages.page(selector, before, after, hasPayloads);
  }

  @Override
  public Optional<ErasableEvent> read(UUID id) {
    String text = id.toString();
    return ErasableItem.of(items.get(List.of(text), KeysAndAttributes.builder()).get(text));
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
