package dev.connectorevents.dynamodb.events;

import static dev.connectorevents.dynamodb.Calls.call;

import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.feed.FeedAppends.Mark;
import dev.connectorevents.feed.StreamMarks;
import java.time.Instant;
import java.util.UUID;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Writes marks into the table of {@link DynamoEvents}. Their ids contain a {@code #}, as those of
 * parts do, so no reader takes them for events.
 */
public final class DynamoStreamMarks implements StreamMarks {

  /** Only marks have it: the run. */
  public static final String ATTRIBUTE = "mark";

  /** Ends an id; the mark's number follows. */
  private static final String SUFFIX = "#mark";

  private final DynamoDbClient dynamoDb;
  private final String table;

  public DynamoStreamMarks(DynamoDbClient dynamoDb, String table) {
    this.dynamoDb = dynamoDb;
    this.table = table;
  }

  @Override
  public void put(UUID run, int first, int last, Instant expiresAt) {
    for (int number = first; number <= last; number++) {
      Item mark = new Item().put("id", run + SUFFIX + number).put(ATTRIBUTE, run);
      EventItem.expire(mark, expiresAt);
      call(
          "PutItem on events",
          () -> dynamoDb.putItem(put -> put.tableName(table).item(mark.attributes())));
    }
  }

  /** Whether an item of the events table is a mark. */
  public static boolean isMark(Item item) {
    return item.has(ATTRIBUTE);
  }

  /** The mark that an item is. */
  public static Mark mark(Item item) {
    String id = item.text("id");
    return new Mark(
        UUID.fromString(item.text(ATTRIBUTE)),
        Integer.parseInt(id.substring(id.lastIndexOf(SUFFIX) + SUFFIX.length())));
  }
}
