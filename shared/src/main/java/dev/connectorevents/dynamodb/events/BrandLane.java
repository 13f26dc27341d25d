package dev.connectorevents.dynamodb.events;

import static dev.connectorevents.dynamodb.Calls.call;

import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.event.EventPlace;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/**
 * The newest entries of one lane of a brand.
 *
 * @param found those that passed the query's filter, newest first
 * @param cutAt the millisecond in which the reading ended: others of this millisecond, and older
 *     ones, may follow. Empty if the lane was read to its end
 */
record BrandLane(List<EventPlace> found, Optional<Instant> cutAt) {

  /** The most entries of each further query for one millisecond. */
  private static final int MOST_FURTHER = 1_000;

  /**
   * Reads one page of a lane. If all that it has found is of one millisecond, reads on: otherwise
   * no list would ever pass that millisecond, and a small page would be empty.
   *
   * @param query newest first
   * @param last the millisecond in which the page begins
   */
  static BrandLane read(DynamoDbClient dynamoDb, QueryRequest query, Instant last) {
    List<EventPlace> found = new ArrayList<>();
    Optional<Instant> cutAt;
    Optional<Item> end = Optional.empty();
    do {
      QueryRequest.Builder next = query.toBuilder();
      end.ifPresent(key -> next.exclusiveStartKey(key.attributes()).limit(MOST_FURTHER));
      QueryResponse read = call("Query on events", () -> dynamoDb.query(next.build()));
      read.items().stream().map(Item::new).map(BrandIndex::place).forEach(found::add);
      end = Item.afterPage(read.lastEvaluatedKey());
      // The last entry that was looked at, not the last that passed the filter. DynamoDB orders
      // those of one millisecond as it likes.
      cutAt = end.map(BrandIndex::place).map(EventPlace::createdAt);
    } while (cutAt.filter(time -> !time.isBefore(newest(found, last))).isPresent());
    return new BrandLane(found, cutAt);
  }

  private static Instant newest(List<EventPlace> found, Instant last) {
    return found.isEmpty() ? last : found.getFirst().createdAt();
  }
}
