package dev.connectorevents.dynamodb.events;

import static dev.connectorevents.dynamodb.Calls.call;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.SideBySide;
import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.dynamodb.events.WriteTimes.WriteTime;
import dev.connectorevents.event.Erasure;
import dev.connectorevents.event.RestoredEvents;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Gatherers;
import java.util.stream.Stream;
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

  /** The most items that are read by their ids in one call. */
  private static final int IDS_OF_A_READ = 100;

  private final DynamoDbClient dynamoDb;
  private final String table;
  private final WriteTimes times;
  private final SideBySide sideBySide;
  private final Consumer<Duration> pause;

  /**
   * @param sideBySide runs the writes of one page
   * @param pause waits for the given time between two reads of the same items
   */
  public DynamoRestoredEvents(
      DynamoDbClient dynamoDb,
      String table,
      WriteTimes times,
      SideBySide sideBySide,
      Consumer<Duration> pause) {
    this.dynamoDb = dynamoDb;
    this.table = table;
    this.times = times;
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
        read.items().stream()
            .map(Item::new)
            .filter(item -> !StoredPayload.isPart(item))
            .filter(item -> !EventItem.isExpired(item, times.clock().instant()))
            .toList();
    List<Boolean> copied = sideBySide.run(heads, head -> copy(restored, head));
    return new Copied(
        Collections.frequency(copied, true),
        Collections.frequency(copied, false),
        read.hasLastEvaluatedKey() && !read.lastEvaluatedKey().isEmpty()
            ? Optional.of(new Item(read.lastEvaluatedKey()).text("id"))
            : Optional.empty());
  }

  /** A part is copied only together with its head: alone, it would be an erased event's payload. */
  private boolean copy(BatchReads restored, Item head) {
    if (Tombstone.isOne(head)) {
      return put(time -> Tombstone.at(head, time.at()));
    }
    List<String> ids = StoredPayload.partIds(head);
    Map<String, Item> parts =
        ids.isEmpty() ? Map.of() : restored.get(ids, KeysAndAttributes.builder());
    return parts.size() == ids.size() && put(head, ids.stream().map(parts::get).toList());
  }

  @Override
  public int erase(String source, Erasure erasure, Set<UUID> ids) {
    BatchReads restored = new BatchReads(dynamoDb, source, pause);
    List<Item> selected =
        ids.stream()
            .map(UUID::toString)
            .gather(Gatherers.windowFixed(IDS_OF_A_READ))
            .flatMap(some -> restored.get(some, EventItem.version()).values().stream())
            .filter(item -> !Tombstone.isOne(item))
            // An open erasure names expired events too: a newer one may have such an id.
            .filter(item -> IndexKeys.position(item).createdAt().isBefore(erasure.begun()))
            .toList();
    List<Boolean> put =
        sideBySide.run(
            selected, event -> put(time -> Tombstone.of(event, erasure.id(), time.at())));
    return Collections.frequency(put, true);
  }

  /** Puts a tombstone. Its time is that of its write. */
  private boolean put(Function<WriteTime, Item> tombstone) {
    WriteTime time = times.begin();
    return time.deadline().bound(() -> put(tombstone.apply(time), List.of()));
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
