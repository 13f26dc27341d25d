package dev.connectorevents.dynamodb.events;

import static dev.connectorevents.dynamodb.Calls.call;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromN;

import dev.connectorevents.SideBySide;
import dev.connectorevents.dynamodb.Condition;
import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.event.Timestamp;
import dev.connectorevents.feed.Beat;
import dev.connectorevents.feed.ItemVersion;
import dev.connectorevents.feed.MarkNote;
import dev.connectorevents.feed.MarkedEvents;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;

/**
 * Writes marks into the table of {@link DynamoEvents}. Their ids contain a {@code #}, as those of
 * parts do, so no reader takes them for events.
 */
public final class DynamoMarkedEvents implements MarkedEvents {

  /** Only marks have it: the number of the beat. */
  private static final String NUMBER = "mark";

  /** When the beat began. */
  private static final String AT = "at";

  /** The attributes from which a note is made, besides the id. */
  public static final Set<String> ATTRIBUTES = Set.of(NUMBER, AT);

  /** How many marks the beat has; of the first mark. */
  private static final String MARKS = "marks";

  private static final String PREFIX = "mark#";

  /** What tells an event or a tombstone from others. */
  private static final Set<String> VERSION =
      Set.of(EventAttributes.CREATED_AT, EventAttributes.ERASED_AT, EventAttributes.RENUMBERED_AT);

  private final DynamoDbClient dynamoDb;
  private final String table;
  private final SideBySide sideBySide;
  private final BatchReads items;

  /**
   * @param sideBySide runs the writes of a beat
   * @param pause waits for the given time between two reads of the same items
   */
  public DynamoMarkedEvents(
      DynamoDbClient dynamoDb, String table, SideBySide sideBySide, Consumer<Duration> pause) {
    this.dynamoDb = dynamoDb;
    this.table = table;
    this.sideBySide = sideBySide;
    this.items = new BatchReads(dynamoDb, table, pause);
  }

  @Override
  public Optional<Beat> last() {
    String first = PREFIX + 0;
    return Optional.ofNullable(items.get(List.of(first), KeysAndAttributes.builder()).get(first))
        .map(item ->
            new Beat(
                item.number(NUMBER, 0),
                Instant.parse(item.text(AT)),
                Math.toIntExact(item.number(MARKS, 0))));
  }

  @Override
  public boolean begin(Optional<Beat> last, Beat next) {
    Item mark = mark(next, 0).put(MARKS, next.marks());
    return put(
        mark,
        last.map(it -> Condition.isStill(mark(it, 0), Set.of(NUMBER)))
            .orElse(new Condition("attribute_not_exists(id)", null, null)));
  }

  @Override
  public void mark(Beat beat) {
    Condition isEarlier =
        new Condition(
            "attribute_not_exists(id) OR #mark < :mark",
            Condition.placeholders(Set.of(NUMBER)),
            Map.of(":mark", fromN("" + beat.number())));
    sideBySide.run(
        IntStream.range(1, beat.marks()).boxed().toList(),
        number -> put(mark(beat, number), isEarlier));
  }

  private static Item mark(Beat beat, int number) {
    return new Item()
        .put("id", PREFIX + number)
        .put(NUMBER, beat.number())
        .put(AT, Timestamp.of(beat.at()));
  }

  private boolean put(Item mark, Condition condition) {
    try {
      call(
          "PutItem on events",
          () ->
              dynamoDb.putItem(put ->
                  put.tableName(table)
                      .item(mark.attributes())
                      .conditionExpression(condition.expression())
                      .expressionAttributeNames(condition.names())
                      .expressionAttributeValues(condition.values())));
      return true;
    } catch (ConditionalCheckFailedException e) { // or the SDK has retried this very write
      return false;
    }
  }

  @Override
  public Optional<List<ItemVersion>> all() {
    Map<String, String> names = Condition.placeholders(VERSION);
    ScanResponse read =
        call(
            "Scan on events",
            () ->
                dynamoDb.scan(scan ->
                    scan.tableName(table)
                        .consistentRead(true)
                        .filterExpression(
                            "attribute_exists(#created_at) OR attribute_exists(#erased_at)")
                        .projectionExpression("id, " + String.join(", ", names.keySet()))
                        .expressionAttributeNames(names)));
    return Item.afterPage(read.lastEvaluatedKey()).isPresent()
        ? Optional.empty()
        : Optional.of(read.items().stream().map(Item::new).map(EventItem::itemVersion).toList());
  }

  /** Whether an item of the events table is a mark. */
  public static boolean isMark(Item item) {
    return item.has(NUMBER);
  }

  /** The note of the mark that an item is. */
  public static MarkNote note(Item item, String shard, String stream) {
    return new MarkNote(
        Integer.parseInt(item.text("id").substring(PREFIX.length())),
        item.number(NUMBER, 0),
        Instant.parse(item.text(AT)),
        shard,
        stream);
  }
}
