package dev.connectorevents.dynamodb.erasure;

import static dev.connectorevents.dynamodb.Calls.call;
import static dev.connectorevents.dynamodb.events.EventAttributes.CREATED_AT;
import static dev.connectorevents.dynamodb.events.EventAttributes.ERASED_AT;
import static dev.connectorevents.dynamodb.events.EventAttributes.EXPIRES_AT;
import static dev.connectorevents.dynamodb.events.EventAttributes.PARTS;
import static dev.connectorevents.dynamodb.events.EventAttributes.RENUMBERED_AT;
import static dev.connectorevents.dynamodb.events.EventAttributes.REQUEST;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.SideBySide;
import dev.connectorevents.dynamodb.Condition;
import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.dynamodb.events.DynamoEvents;
import dev.connectorevents.dynamodb.events.EventItem;
import dev.connectorevents.erasure.RenumberedEvents;
import dev.connectorevents.event.Timestamp;
import dev.connectorevents.feed.ItemVersion;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;

/** Gives new positions to items of the table of {@link DynamoEvents}. */
public final class DynamoRenumberedEvents implements RenumberedEvents {

  /** The most items that a page looks at. */
  private static final int PAGE = 500;

  /** What tells an item from any other one under its id. */
  private static final Set<String> VERSION =
      Set.of(CREATED_AT, PARTS, REQUEST, ERASED_AT, RENUMBERED_AT);

  private static final Set<String> READ =
      Set.of(CREATED_AT, PARTS, REQUEST, ERASED_AT, RENUMBERED_AT, EXPIRES_AT);

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
              return version.renumberedAt().map(at -> at.isBefore(begun)).orElse(true)
                  && !isKnown.test(version);
            })
            .toList();
    List<Boolean> renumbered = sideBySide.run(unknown, this::renumber);
    return new Renumbered(
        items.size(),
        Collections.frequency(renumbered, true),
        Item.afterPage(read.lastEvaluatedKey()).map(key -> key.text("id")));
  }

  private ScanResponse scan(Instant from, Instant to, Optional<String> after) {
    Map<String, String> names = Condition.placeholders(READ);
    return call(
        "Scan on events",
        () ->
            dynamoDb.scan(scan -> {
              scan.tableName(table)
                  .consistentRead(true)
                  .limit(PAGE)
                  .filterExpression(
                      "#created_at >= :from AND #created_at < :to"
                          + " OR #erased_at >= :from AND #erased_at < :to"
                          + " OR #renumbered_at >= :from AND #renumbered_at < :to")
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
                      .expressionAttributeNames(condition.names())
                      .expressionAttributeValues(values)));
      return true;
    } catch (ConditionalCheckFailedException e) {
      return false;
    }
  }
}
