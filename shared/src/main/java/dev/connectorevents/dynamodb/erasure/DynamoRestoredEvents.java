package dev.connectorevents.dynamodb.erasure;

import static dev.connectorevents.dynamodb.Calls.call;
import static dev.connectorevents.dynamodb.events.EventAttributes.CREATED_AT;
import static dev.connectorevents.dynamodb.events.EventAttributes.RENUMBERED_AT;
import static dev.connectorevents.dynamodb.events.EventAttributes.REQUEST;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.SideBySide;
import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.dynamodb.Transactions;
import dev.connectorevents.dynamodb.events.BatchReads;
import dev.connectorevents.dynamodb.events.DynamoEvents;
import dev.connectorevents.dynamodb.events.EventItem;
import dev.connectorevents.dynamodb.events.StoredPayload;
import dev.connectorevents.dynamodb.events.Tombstone;
import dev.connectorevents.erasure.Erasure;
import dev.connectorevents.erasure.ErasureLedger;
import dev.connectorevents.erasure.RestoredEvents;
import dev.connectorevents.erasure.RestoredEvents.NotCopied;
import dev.connectorevents.event.EventIds;
import dev.connectorevents.event.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Gatherers;
import java.util.stream.Stream;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * Copies events from a restored table into the table of {@link DynamoEvents}. Each copy is one
 * write, conditional on nothing being there: so a tombstone, and whatever was stored since, stays.
 */
public final class DynamoRestoredEvents implements RestoredEvents {

  private static final String IS_FREE = "attribute_not_exists(id)";

  /** Ends the name of the restored table, after that of the service's own: the rights name it. */
  private static final String SUFFIX = "-restored";

  /** The most items of a page: the parts of large events are read besides. */
  private static final int PAGE = 100;

  /** The most items that are read by their ids at once. */
  private static final int IDS_OF_A_READ = 100;

  private final DynamoDbClient dynamoDb;
  private final String table;
  private final SideBySide sideBySide;
  private final InstantSource clock;
  private final Consumer<Duration> pause;

  /**
   * @param sideBySide runs the writes of one page
   * @param pause waits for the given time between two reads of the same items
   */
  public DynamoRestoredEvents(
      DynamoDbClient dynamoDb,
      String table,
      InstantSource clock,
      SideBySide sideBySide,
      Consumer<Duration> pause) {
    this.dynamoDb = dynamoDb;
    this.table = table;
    this.sideBySide = sideBySide;
    this.clock = clock;
    this.pause = pause;
  }

  @Override
  public String rule() {
    return "the name of a table that is there: " + table + SUFFIX;
  }

  @Override
  public boolean isThere(String source) {
    if (!source.equals(table + SUFFIX)) {
      return false;
    }
    try {
      call("Scan on restored", () -> dynamoDb.scan(scan -> scan.tableName(source).limit(1)));
      return true;
    } catch (DependencyUnavailableException e) {
      if (e.getCause() instanceof ResourceNotFoundException) {
        return false;
      }
      throw e;
    }
  }

  @Override
  public Copied copy(String source, Optional<String> after) {
    ScanResponse read =
        call(
            "Scan on restored",
            () ->
                dynamoDb.scan(scan -> {
                  scan.tableName(source).consistentRead(true).limit(PAGE);
                  after.ifPresent(id -> scan.exclusiveStartKey(Map.of("id", fromS(id))));
                }));
    BatchReads restored = readsOf(source);
    List<Item> heads =
        read.items().stream().map(Item::new).filter(item -> !StoredPayload.isPart(item)).toList();
    // A condition that fails costs as much as a write: most events are there.
    Set<String> present = there(heads.stream().map(item -> item.text("id")).toList()).keySet();
    List<Copy> page =
        sideBySide.run(
            heads,
            head -> present.contains(head.text("id")) ? new Copy.Kept() : tryCopy(restored, head));
    return new Copied(
        Collections.frequency(page, new Copy.Restored()),
        Collections.frequency(page, new Copy.Kept()),
        Copy.impossible(page),
        Item.afterPage(read.lastEvaluatedKey()).map(key -> key.text("id")));
  }

  @Override
  public int erase(String source, Erasure erasure, ErasureLedger.Step step) {
    return step.ids().stream()
        .map(UUID::toString)
        .gather(Gatherers.windowFixed(IDS_OF_A_READ))
        .mapToInt(ids -> erase(source, erasure, ids, step.closed().isPresent()))
        .sum();
  }

  private int erase(String source, Erasure erasure, List<String> ids, boolean areErased) {
    Set<String> present = there(ids).keySet();
    List<String> absent = ids.stream().filter(id -> !present.contains(id)).toList();
    Map<String, Item> restored =
        absent.isEmpty() ? Map.of() : readsOf(source).get(absent, EventItem.version());
    List<Item> events =
        absent.stream()
            .flatMap(id ->
                Optional.ofNullable(restored.get(id))
                    .or(() -> areErased ? younger(id) : Optional.empty())
                    .stream())
            .filter(item -> !Tombstone.isOne(item)) // which comes back as it is
            // An open erasure names expired events too: a newer one may have such an id.
            .filter(item ->
                areErased
                    || !item.has(CREATED_AT)
                    || EventItem.createdAt(item).isBefore(erasure.begun()))
            .toList();
    return Collections.frequency(
        sideBySide.run(events, event -> put(Tombstone.of(event, erasure.id(), now()), List.of())),
        true);
  }

  /** An erased event that is younger than the backup; empty if nobody can send it again. */
  private static Optional<Item> younger(String id) {
    return EventIds.isOfKey(UUID.fromString(id))
        ? Optional.of(new Item().put("id", id).put(REQUEST, new byte[0]))
        : Optional.empty();
  }

  /** What became of an event. */
  private sealed interface Copy {

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
  private Map<String, Item> there(List<String> ids) {
    return new BatchReads(dynamoDb, table, pause).get(ids, Tombstone.presence());
  }

  private BatchReads readsOf(String source) {
    return new BatchReads(dynamoDb, source, pause);
  }

  /**
   * No event may stop a restore. One that is damaged, or that DynamoDB refuses, is named instead.
   * What a later try may copy is none of these: it fails the call.
   */
  private Copy tryCopy(BatchReads restored, Item head) {
    String id = head.text("id");
    try {
      return EventItem.isExpired(head, clock.instant()) ? new Copy.Expired() : copy(restored, head);
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
   * Copies an event, which the feed then shows at its end, or a tombstone. A part is copied only
   * together with its head: alone, it would be an erased event's payload.
   *
   * @param source has the parts
   */
  private Copy copy(BatchReads source, Item head) {
    if (Tombstone.isOne(head)) {
      return Copy.of(put(Tombstone.at(head, now()), List.of()));
    }
    List<String> ids = StoredPayload.partIds(head);
    Map<String, Item> parts =
        ids.isEmpty() ? Map.of() : source.get(ids, KeysAndAttributes.builder());
    if (parts.size() < ids.size()) {
      return Copy.impossible(head.text("id"), "a part of its payload is missing");
    }
    Item copy = new Item(new HashMap<>(head.attributes())).put(RENUMBERED_AT, Timestamp.of(now()));
    return Copy.of(put(copy, ids.stream().map(parts::get).toList()));
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  /** Returns false if something is there. */
  private boolean put(Item head, List<Item> parts) {
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
