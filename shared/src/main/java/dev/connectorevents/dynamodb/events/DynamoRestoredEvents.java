package dev.connectorevents.dynamodb.events;

import static dev.connectorevents.dynamodb.Calls.call;
import static dev.connectorevents.dynamodb.events.EventAttributes.CREATED_AT;
import static dev.connectorevents.dynamodb.events.EventAttributes.RENUMBERED_AT;
import static dev.connectorevents.dynamodb.events.EventAttributes.REQUEST;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.SideBySide;
import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.dynamodb.Transactions;
import dev.connectorevents.event.Erasure;
import dev.connectorevents.event.ErasureLedger;
import dev.connectorevents.event.EventIds;
import dev.connectorevents.event.RestoredEvents;
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

  /** Ends the name of the restored table, after that of the service's own: the rights name it. */
  private static final String SUFFIX = "-restored";

  private static final String IS_FREE = "attribute_not_exists(id)";

  /** The most items of a page: the parts of large events are read besides. */
  private static final int PAGE = 100;

  /** The most items that are read by their ids at once. */
  private static final int IDS_OF_A_READ = 100;

  private final DynamoDbClient dynamoDb;
  private final String table;
  private final InstantSource clock;
  private final SideBySide sideBySide;
  private final Consumer<Duration> pause;

  /** What became of an event. */
  private sealed interface Copy {

    record Restored() implements Copy {}

    record Kept() implements Copy {}

    record Impossible(NotCopied event) implements Copy {}

    static Copy of(boolean isPut) {
      return isPut ? new Restored() : new Kept();
    }

    static Copy impossible(Item head, String reason) {
      return new Impossible(new NotCopied(head.text("id"), reason));
    }
  }

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
    this.clock = clock;
    this.sideBySide = sideBySide;
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
    BatchReads restored = new BatchReads(dynamoDb, source, pause);
    List<Item> heads =
        read.items().stream().map(Item::new).filter(item -> !StoredPayload.isPart(item)).toList();
    // A condition that fails costs as much as a write: most events are there.
    Set<String> present = present(heads.stream().map(item -> item.text("id")).toList());
    List<Copy> copies =
        sideBySide
            .run(
                heads,
                head ->
                    present.contains(head.text("id"))
                        ? Optional.<Copy>of(new Copy.Kept())
                        : tryCopy(restored, head))
            .stream()
            .flatMap(Optional::stream)
            .toList();
    return new Copied(
        Collections.frequency(copies, new Copy.Restored()),
        Collections.frequency(copies, new Copy.Kept()),
        copies.stream()
            .filter(Copy.Impossible.class::isInstance)
            .map(copy -> ((Copy.Impossible) copy).event())
            .toList(),
        Item.afterPage(read.lastEvaluatedKey()).map(key -> key.text("id")));
  }

  /** Those of the ids under which the service has something. */
  private Set<String> present(List<String> ids) {
    return new BatchReads(dynamoDb, table, pause).get(ids, Tombstone.presence()).keySet();
  }

  /**
   * No event may stop a restore. One that is damaged, or that DynamoDB refuses, is named instead.
   * What a later try may copy is none of these: it fails the call.
   *
   * @return empty if the event has expired
   */
  private Optional<Copy> tryCopy(BatchReads restored, Item head) {
    try {
      return EventItem.isExpired(head, clock.instant())
          ? Optional.empty()
          : Optional.of(copy(restored, head));
    } catch (AwsServiceException e) {
      return Optional.of(Copy.impossible(head, refusal(e)));
    } catch (DependencyUnavailableException e) {
      if (e.getCause() instanceof TransactionCanceledException canceled
          && !Transactions.isRetryable(canceled)) {
        return Optional.of(Copy.impossible(head, refusal(canceled)));
      }
      throw e;
    } catch (RuntimeException e) { // of whatever reads an attribute
      return Optional.of(
          Copy.impossible(head, "its item is damaged: " + e.getClass().getSimpleName()));
    }
  }

  private static String refusal(AwsServiceException e) {
    return "DynamoDB refuses it: "
        + Optional.ofNullable(e.awsErrorDetails())
            .map(AwsErrorDetails::errorMessage)
            .orElseGet(() -> e.getClass().getSimpleName());
  }

  /** A part is copied only together with its head: alone, it would be an erased event's payload. */
  private Copy copy(BatchReads restored, Item head) {
    if (Tombstone.isOne(head)) {
      return Copy.of(put(Tombstone.at(head, now()), List.of()));
    }
    List<String> ids = StoredPayload.partIds(head);
    Map<String, Item> parts =
        ids.isEmpty() ? Map.of() : restored.get(ids, KeysAndAttributes.builder());
    if (parts.size() < ids.size()) {
      return Copy.impossible(head, "a part of its payload is missing");
    }
    // The feed shows it once more, at its end.
    Item renumbered = new Item(new HashMap<>(head.attributes()));
    renumbered.put(RENUMBERED_AT, Timestamp.of(now()));
    return Copy.of(put(renumbered, ids.stream().map(parts::get).toList()));
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
    Set<String> present = present(ids);
    List<String> absent = ids.stream().filter(id -> !present.contains(id)).toList();
    Map<String, Item> restored =
        absent.isEmpty()
            ? Map.of()
            : new BatchReads(dynamoDb, source, pause).get(absent, EventItem.version());
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
