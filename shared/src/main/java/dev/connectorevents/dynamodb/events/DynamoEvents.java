package dev.connectorevents.dynamodb.events;

import static dev.connectorevents.dynamodb.Calls.call;
import static dev.connectorevents.dynamodb.events.EventAttributes.ERASED_AT;
import static dev.connectorevents.dynamodb.events.EventAttributes.EXPIRES_AT;
import static software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure.ALL_OLD;

import dev.connectorevents.dynamodb.Deadline;
import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.dynamodb.Transactions;
import dev.connectorevents.event.EventToStore;
import dev.connectorevents.event.Events;
import dev.connectorevents.event.RetentionRules;
import dev.connectorevents.event.StoreOutcome;
import dev.connectorevents.event.WebhookEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * Stores each event in a DynamoDB table with one conditional write: of one item, or of a
 * transaction if the event does not fit into one item.
 *
 * <p>The id is fixed before the write. So the SDK's retry of a write and a client's retry of a
 * request both find the first event under that id.
 */
public final class DynamoEvents implements Events {

  /**
   * An expired event no longer blocks its id, although DynamoDB deletes it only days later. A
   * tombstone always blocks it.
   */
  private static final String IS_FREE =
      "attribute_not_exists(id) OR "
          + EXPIRES_AT
          + " <= :now AND attribute_not_exists("
          + ERASED_AT
          + ")";

  /** Stands for the time of the write until its first try. Any time of some centuries would do. */
  private static final Instant PLACEHOLDER = Instant.parse("2026-01-01T00:00:00Z");

  private final DynamoDbClient dynamoDb;
  private final String table;
  private final RandomGenerator random;
  private final RetentionRules retention;
  private final WriteTimes times;

  /**
   * @param random for the lanes of the indexes, which nobody may foresee
   * @param retention how long DynamoDB keeps an event
   */
  public DynamoEvents(
      DynamoDbClient dynamoDb,
      String table,
      RandomGenerator random,
      RetentionRules retention,
      WriteTimes times) {
    this.dynamoDb = dynamoDb;
    this.table = table;
    this.random = random;
    this.retention = retention;
    this.times = times;
  }

  @Override
  public StoreOutcome.Known store(EventToStore toStore) {
    return put(pending(toStore));
  }

  /** Prepares an event's items, so that every try to write the event has the same. */
  EventWrite pending(EventToStore toStore) {
    Optional<WriteMark> mark =
        toStore.fingerprint().map(fingerprint -> new WriteMark(fingerprint, random.nextInt()));
    Optional<Duration> kept = retention.of(toStore.type());
    Item head = EventItem.of(toStore, mark, random.nextInt(IndexKeys.LANES));
    EventItem.stamp(List.of(head), PLACEHOLDER, kept);
    List<Item> items = StoredPayload.put(head, toStore.payload().text());
    return new EventWrite(
        items.size() == 1 ? Optional.of(head) : Optional.empty(),
        time -> {
          WebhookEvent event = toStore.at(time.at());
          EventItem.stamp(items, time.at(), kept);
          return new EventWrite.Begun(event, () -> put(event, items, mark, time.deadline()));
        });
  }

  /** Stores an event that has no time yet. */
  StoreOutcome.Known put(EventWrite write) {
    return write.begin().apply(times.begin()).put().get();
  }

  private StoreOutcome.Known put(
      WebhookEvent event, List<Item> items, Optional<WriteMark> mark, Deadline deadline) {
    if (items.size() > 1) {
      long bytes = items.stream().mapToLong(ItemSize::of).sum();
      if (bytes > ItemSize.TRANSACTION_LIMIT) {
        return new StoreOutcome.TooLarge(bytes, ItemSize.TRANSACTION_LIMIT);
      }
    }
    Map<String, AttributeValue> now = now(event);
    try {
      deadline.bound(
          () -> items.size() == 1 ? put(items.getFirst(), now) : putTogether(items, now));
      return new StoreOutcome.Stored(event);
    } catch (ConditionalCheckFailedException e) {
      return alreadyThere(event, e.item(), mark);
    } catch (TransactionCanceledException e) {
      return alreadyThere(event, Transactions.failedCondition(e).orElseThrow().item(), mark);
    }
  }

  private static Map<String, AttributeValue> now(WebhookEvent event) {
    return Map.of(":now", AttributeValue.fromN("" + event.createdAt().getEpochSecond()));
  }

  private Object put(Item item, Map<String, AttributeValue> now) {
    return call(
        "PutItem on events",
        () ->
            dynamoDb.putItem(put ->
                put.tableName(table)
                    .item(item.attributes())
                    .conditionExpression(IS_FREE)
                    .expressionAttributeValues(now)
                    .returnValuesOnConditionCheckFailure(ALL_OLD)));
  }

  /** Only the first item needs a condition: the others exist only together with it. */
  private Object putTogether(List<Item> items, Map<String, AttributeValue> now) {
    List<TransactWriteItem> writes = new ArrayList<>();
    for (Item item : items) {
      Put.Builder put = Put.builder().tableName(table).item(item.attributes());
      if (writes.isEmpty()) {
        put.conditionExpression(IS_FREE)
            .expressionAttributeValues(now)
            .returnValuesOnConditionCheckFailure(ALL_OLD);
      }
      writes.add(TransactWriteItem.builder().put(put.build()).build());
    }
    return call(
        "TransactWriteItems on events",
        () -> dynamoDb.transactWriteItems(write -> write.transactItems(writes)));
  }

  private static StoreOutcome.Known alreadyThere(
      WebhookEvent event, Map<String, AttributeValue> item, Optional<WriteMark> mark) {
    if (mark.isEmpty()) {
      return new StoreOutcome.Stored(event);
    }
    Item there = new Item(item);
    if (EventItem.erasedAt(there).isPresent()) {
      return new StoreOutcome.Erased();
    }
    WriteMark first = EventItem.mark(there);
    if (!mark.get().fingerprint().equals(first.fingerprint())) {
      return new StoreOutcome.KeyReused(EventItem.event(there));
    }
    // The same nonce: the SDK has retried this very write, and its first try had succeeded.
    return mark.get().equals(first)
        ? new StoreOutcome.Stored(event)
        : new StoreOutcome.Replayed(EventItem.event(there));
  }
}
