package dev.connectorevents.dynamodb.events;

import static dev.connectorevents.dynamodb.Calls.call;
import static dev.connectorevents.dynamodb.events.EventAttributes.RENUMBERED_AT;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.dynamodb.Transactions;
import dev.connectorevents.event.RestoredEvents.NotCopied;
import dev.connectorevents.event.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * Puts copies of a restored table's items into the table of {@link DynamoEvents}. Each copy is one
 * write, conditional on nothing being there: so a tombstone, and whatever was stored since, stays.
 */
final class EventCopies {

  private static final String IS_FREE = "attribute_not_exists(id)";

  private final DynamoDbClient dynamoDb;
  private final String table;
  private final InstantSource clock;
  private final Consumer<Duration> pause;

  EventCopies(
      DynamoDbClient dynamoDb, String table, InstantSource clock, Consumer<Duration> pause) {
    this.dynamoDb = dynamoDb;
    this.table = table;
    this.clock = clock;
    this.pause = pause;
  }

  /** What became of an event. */
  sealed interface Copy {

    record Restored() implements Copy {}

    /** Something is there. */
    record Kept() implements Copy {}

    record Expired() implements Copy {}

    record Impossible(NotCopied event) implements Copy {}

    static Copy of(boolean isPut) {
      return isPut ? new Restored() : new Kept();
    }

    static Copy impossible(String id, String reason) {
      return new Impossible(new NotCopied(id, reason));
    }

    /** The events of those that cannot be copied. */
    static List<NotCopied> impossible(List<Copy> copies) {
      return copies.stream()
          .filter(Impossible.class::isInstance)
          .map(copy -> ((Impossible) copy).event())
          .toList();
    }
  }

  /** What the service has under these ids, as {@link Tombstone#presence} reads it. */
  Map<String, Item> there(List<String> ids) {
    return new BatchReads(dynamoDb, table, pause).get(ids, Tombstone.presence());
  }

  BatchReads readsOf(String source) {
    return new BatchReads(dynamoDb, source, pause);
  }

  /**
   * No event may stop a restore. One that is damaged, or that DynamoDB refuses, is named instead.
   * What a later try may copy is none of these: it fails the call.
   */
  Copy tryCopy(Item head, Supplier<Copy> copy) {
    String id = head.text("id");
    try {
      return EventItem.isExpired(head, clock.instant()) ? new Copy.Expired() : copy.get();
    } catch (AwsServiceException e) {
      return Copy.impossible(id, refusal(e));
    } catch (DependencyUnavailableException e) {
      if (e.getCause() instanceof TransactionCanceledException canceled
          && !Transactions.isRetryable(canceled)) {
        return Copy.impossible(id, refusal(canceled));
      }
      throw e;
    } catch (RuntimeException e) { // of whatever reads an attribute
      return Copy.impossible(id, "its item is damaged: " + e.getClass().getSimpleName());
    }
  }

  private static String refusal(AwsServiceException e) {
    return "DynamoDB refuses it: "
        + Optional.ofNullable(e.awsErrorDetails())
            .map(AwsErrorDetails::errorMessage)
            .orElseGet(() -> e.getClass().getSimpleName());
  }

  /**
   * Copies an event, which the feed then shows at its end. A part is copied only together with its
   * head: alone, it would be an erased event's payload.
   *
   * @param source has the parts
   */
  Copy copy(BatchReads source, Item head) {
    List<String> ids = StoredPayload.partIds(head);
    Map<String, Item> parts =
        ids.isEmpty() ? Map.of() : source.get(ids, KeysAndAttributes.builder());
    if (parts.size() < ids.size()) {
      return Copy.impossible(head.text("id"), "a part of its payload is missing");
    }
    Item copy = new Item(new HashMap<>(head.attributes())).put(RENUMBERED_AT, Timestamp.of(now()));
    return Copy.of(put(copy, ids.stream().map(parts::get).toList()));
  }

  Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  /** Returns false if something is there. */
  boolean put(Item head, List<Item> parts) {
    try {
      if (parts.isEmpty()) {
        call(
            "PutItem on events",
            () ->
                dynamoDb.putItem(put ->
                    put.tableName(table).item(head.attributes()).conditionExpression(IS_FREE)));
      } else {
        List<TransactWriteItem> writes = new ArrayList<>();
        Stream.concat(Stream.of(head), parts.stream())
            .map(item -> Put.builder().tableName(table).item(item.attributes()))
            .map(put -> writes.isEmpty() ? put.conditionExpression(IS_FREE) : put)
            .forEach(put -> writes.add(TransactWriteItem.builder().put(put.build()).build()));
        call(
            "TransactWriteItems on events",
            () -> dynamoDb.transactWriteItems(write -> write.transactItems(writes)));
      }
      return true;
    } catch (ConditionalCheckFailedException | TransactionCanceledException e) {
      return false; // a transaction is only canceled for its condition
    }
  }
}
