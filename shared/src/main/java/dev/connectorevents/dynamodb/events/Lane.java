package dev.connectorevents.dynamodb.events;

import static dev.connectorevents.dynamodb.Calls.call;

import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.event.EventPosition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/**
 * The entries of one lane of an index, from the beginning of a stretch as far as they were read.
 */
final class Lane {

  private final DynamoDbClient dynamoDb;
  private final QueryRequest query;
  private final Stretch stretch;
  private final List<EventPosition> found = new ArrayList<>();
  private Map<String, AttributeValue> readUpTo = Map.of();
  private EventPosition end;

  /**
   * @param query for the stretch's entries in this lane, in the stretch's order
   */
  Lane(DynamoDbClient dynamoDb, QueryRequest query, Stretch stretch) {
    this.dynamoDb = dynamoDb;
    this.query = query;
    this.stretch = stretch;
    this.end = stretch.begin();
  }

  /**
   * Reads on.
   *
   * @param most how many entries DynamoDB looks at, before the filter. If all of them are of the
   *     millisecond in which the stretch begins, reads more: otherwise no page would ever pass it
   */
  void read(int most) {
    do {
      QueryRequest next = query.toBuilder().limit(most).exclusiveStartKey(startKey()).build();
      QueryResponse read = call("Query on events", () -> dynamoDb.query(next));
      read.items().stream().map(Item::new).map(IndexKeys::position).forEach(found::add);
      readUpTo = read.hasLastEvaluatedKey() ? read.lastEvaluatedKey() : Map.of();
      // From the last entry that was looked at, not from the last that passed the filter. DynamoDB
      // orders those of one millisecond as it likes, so others of this millisecond may follow.
      end =
          readUpTo.isEmpty()
              ? stretch.end()
              : stretch.order().before(IndexKeys.position(new Item(readUpTo)).createdAt());
    } while (!stretch.order().isBefore(stretch.begin(), end));
  }

  private @Nullable Map<String, AttributeValue> startKey() {
    return readUpTo.isEmpty() ? null : readUpTo;
  }

  /** The entries that passed the filter. Those after {@link #end} may be incomplete. */
  List<EventPosition> found() {
    return found;
  }

  /** Up to this place, all entries were read. */
  EventPosition end() {
    return end;
  }

  boolean isRead() {
    return end.equals(stretch.end());
  }
}
