package dev.connectorevents.dynamodb.events;

import static dev.connectorevents.dynamodb.Calls.call;
import static dev.connectorevents.dynamodb.events.EventAttributes.ERASED_AT;
import static dev.connectorevents.dynamodb.events.EventAttributes.EXPIRES_AT;
import static software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure.ALL_OLD;

import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.dynamodb.Transactions;
import dev.connectorevents.event.EventToStore;
import dev.connectorevents.event.Events;
import dev.connectorevents.event.RetentionRules;
import dev.connectorevents.event.StoreOutcome;
import dev.connectorevents.event.WebhookEvent;
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

  private final DynamoDbClient dynamoDb;
  private final String table;
  private final RandomGenerator random;
  private final RetentionRules retention;

  /**
   * @param random for the lanes of the index, which nobody may foresee
   * @param retention how long DynamoDB keeps an event
   */
  public DynamoEvents(
      DynamoDbClient dynamoDb, String table, RandomGenerator random, RetentionRules retention) {
    this.dynamoDb = dynamoDb;
    this.table = table;
    this.random = random;
    this.retention = retention;
  }

  @Override
  public StoreOutcome.Known store(EventToStore toStore) {
    return put(write(toStore));
  }

  private EventWrite write(EventToStore toStore) {
    Optional<WriteMark> mark =
        toStore.fingerprint().map(fingerprint -> new WriteMark(fingerprint, random.nextInt()));
    Item head =
        EventItem.of(toStore, mark, random.nextInt(BrandIndex.LANES), retention.of(toStore.type()));
    return new EventWrite(toStore.event(), StoredPayload.put(head, toStore.payload().text()), mark);
  }

  /**
   * Stores an event with a conditional write, which also recognizes that an earlier write of these
   * very items has succeeded.
   */
  StoreOutcome.Known put(EventWrite write) {
    WebhookEvent event = write.event();
    if (!write.hasOneItem() && write.size() > ItemSize.TRANSACTION_LIMIT) {
      return new StoreOutcome.TooLarge(write.size(), ItemSize.TRANSACTION_LIMIT);
    }
    Map<String, AttributeValue> now = now(event);
    try {
      if (write.hasOneItem()) {
        put(write.items().getFirst(), now);
      } else {
        putTogether(write.items(), now);
      }
      return new StoreOutcome.Stored(event);
    } catch (ConditionalCheckFailedException e) {
      return alreadyThere(event, e.item(), write.mark());
    } catch (TransactionCanceledException e) {
      return alreadyThere(
          event, Transactions.failedCondition(e).orElseThrow().item(), write.mark());
    }
  }

  private static Map<String, AttributeValue> now(WebhookEvent event) {
    return Map.of(":now", AttributeValue.fromN("" + event.createdAt().getEpochSecond()));
  }

  private void put(Item item, Map<String, AttributeValue> now) {
    call(
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
  private void putTogether(List<Item> items, Map<String, AttributeValue> now) {
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
    call(
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
