package dev.connectorevents.dynamodb.events;

import static dev.connectorevents.dynamodb.Calls.call;
import static dev.connectorevents.dynamodb.events.EventAttributes.CREATED_AT;
import static dev.connectorevents.dynamodb.events.EventAttributes.REQUEST;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.SideBySide;
import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.dynamodb.events.EventCopies.Copy;
import dev.connectorevents.event.Erasure;
import dev.connectorevents.event.ErasureLedger;
import dev.connectorevents.event.EventIds;
import dev.connectorevents.event.RestoredEvents;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Gatherers;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;

/** Copies events from a restored table into the table of {@link DynamoEvents}. */
public final class DynamoRestoredEvents implements RestoredEvents {

  /** Ends the name of the restored table, after that of the service's own: the rights name it. */
  private static final String SUFFIX = "-restored";

  /** The most items of a page: the parts of large events are read besides. */
  private static final int PAGE = 100;

  /** The most items that are read by their ids at once. */
  private static final int IDS_OF_A_READ = 100;

  private final DynamoDbClient dynamoDb;
  private final String table;
  private final SideBySide sideBySide;
  private final EventCopies copies;

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
    this.copies = new EventCopies(dynamoDb, table, clock, pause);
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
    BatchReads restored = copies.readsOf(source);
    List<Item> heads =
        read.items().stream().map(Item::new).filter(item -> !StoredPayload.isPart(item)).toList();
    // A condition that fails costs as much as a write: most events are there.
    Set<String> present =
        copies.there(heads.stream().map(item -> item.text("id")).toList()).keySet();
    List<Copy> page =
        sideBySide.run(
            heads,
            head ->
                present.contains(head.text("id"))
                    ? new Copy.Kept()
                    : copies.tryCopy(head, () -> copy(restored, head)));
    return new Copied(
        Collections.frequency(page, new Copy.Restored()),
        Collections.frequency(page, new Copy.Kept()),
        Copy.impossible(page),
        Item.afterPage(read.lastEvaluatedKey()).map(key -> key.text("id")));
  }

  private Copy copy(BatchReads restored, Item head) {
    return Tombstone.isOne(head)
        ? Copy.of(copies.put(Tombstone.at(head, copies.now()), List.of()))
        : copies.copy(restored, head);
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
    Set<String> present = copies.there(ids).keySet();
    List<String> absent = ids.stream().filter(id -> !present.contains(id)).toList();
    Map<String, Item> restored =
        absent.isEmpty() ? Map.of() : copies.readsOf(source).get(absent, EventItem.version());
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
        sideBySide.run(
            events,
            event -> copies.put(Tombstone.of(event, erasure.id(), copies.now()), List.of())),
        true);
  }

  /** An erased event that is younger than the backup; empty if nobody can send it again. */
  private static Optional<Item> younger(String id) {
    return EventIds.isOfKey(UUID.fromString(id))
        ? Optional.of(new Item().put("id", id).put(REQUEST, new byte[0]))
        : Optional.empty();
  }
}
