package dev.connectorevents.dynamodb.events;

import static dev.connectorevents.dynamodb.Calls.call;
import static dev.connectorevents.dynamodb.events.EventAttributes.ERASED_AT;
import static dev.connectorevents.dynamodb.events.EventAttributes.EXPIRES_AT;
import static dev.connectorevents.dynamodb.events.EventAttributes.RENUMBERED_AT;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.SideBySide;
import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.event.Timestamp;
import dev.connectorevents.feed.ItemVersion;
import dev.connectorevents.feed.RenumberedEvents;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;

/** Gives new positions to items of the table of {@link DynamoEvents}. */
public final class DynamoRenumberedEvents implements RenumberedEvents {

  /** The most items that a page looks at. */
  private static final int PAGE = 500;

  /** What tells an item from any other one under its id, by placeholders. */
  private static final Map<String, String> VERSION = version();

  private final DynamoDbClient dynamoDb;
  private final String table;
  private final InstantSource clock;
  private final SideBySide sideBySide;

  /**
   * @param sideBySide runs the writes of one page
   */
  public DynamoRenumberedEvents(
      DynamoDbClient dynamoDb, String table, InstantSource clock, SideBySide sideBySide) {
    this.dynamoDb = dynamoDb;
    this.table = table;
    this.clock = clock;
    this.sideBySide = sideBySide;
  }

  private static Map<String, String> version() {
    Map<String, String> version = new HashMap<>(EventItem.VERSION);
    version.put("#erased_at", ERASED_AT);
    version.put("#renumbered_at", RENUMBERED_AT);
    return version;
  }

  @Override
  public Renumbered renumber(
      Instant from,
      Instant to,
      Instant begun,
      Predicate<ItemVersion> isKnown,
      Optional<String> after) {
    ScanResponse read = scan(from, to, after);
    List<Item> items =
        read.items().stream()
            .map(Item::new)
            .filter(item -> !EventItem.isExpired(item, clock.instant()))
            .toList();
    List<Item> unknown =
        items.stream()
            .filter(item -> {
              ItemVersion version = EventItem.itemVersion(item);
              return version.renumberedAt().filter(at -> !at.isBefore(begun)).isEmpty()
                  && !isKnown.test(version);
            })
            .toList();
    List<Boolean> renumbered = sideBySide.run(unknown, this::renumber);
    return new Renumbered(
        items.size(),
        Collections.frequency(renumbered, true),
        read.hasLastEvaluatedKey() && !read.lastEvaluatedKey().isEmpty()
            ? Optional.of(new Item(read.lastEvaluatedKey()).text("id"))
            : Optional.empty());
  }

  private ScanResponse scan(Instant from, Instant to, Optional<String> after) {
    Map<String, String> names = new HashMap<>(VERSION);
    names.put("#expires_at", EXPIRES_AT);
    return call(
        "Scan on events",
        () ->
            dynamoDb.scan(scan -> {
              scan.tableName(table)
                  .consistentRead(true)
                  .limit(PAGE)
                  .filterExpression(
                      "#created_at >= :from AND #created_at < :to"
                          + " OR #erased_at >= :from AND #erased_at < :to")
                  .projectionExpression("id, " + String.join(", ", names.keySet()))
                  .expressionAttributeNames(names)
                  .expressionAttributeValues(
                      Map.of(":from", fromS(Timestamp.of(from)), ":to", fromS(Timestamp.of(to))));
              after.ifPresent(id -> scan.exclusiveStartKey(Map.of("id", fromS(id))));
            }));
  }

  private boolean renumber(Item item) {
    Condition condition = Condition.isStill(item, VERSION);
    Map<String, AttributeValue> values = new HashMap<>();
    if (condition.values() != null) {
      values.putAll(condition.values());
    }
    values.put(":now", fromS(Timestamp.of(clock.instant())));
    try {
      call(
          "UpdateItem on events",
          () ->
              dynamoDb.updateItem(update ->
                  update
                      .tableName(table)
                      .key(Map.of("id", fromS(item.text("id"))))
                      .updateExpression("SET #renumbered_at = :now")
                      .conditionExpression(condition.expression())
                      .expressionAttributeNames(VERSION)
                      .expressionAttributeValues(values)));
      return true;
    } catch (ConditionalCheckFailedException e) {
      return false;
    }
  }
}
