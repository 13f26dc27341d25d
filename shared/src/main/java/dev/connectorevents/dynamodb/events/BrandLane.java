package dev.connectorevents.dynamodb.events;

import static dev.connectorevents.dynamodb.Calls.call;

import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.event.EventPlace;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
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

  /**
   * Reads one page of a lane. If all of it is of the millisecond in which it begins, reads on:
   * otherwise no list would ever pass that millisecond.
   *
   * @param query newest first
   * @param newest the millisecond in which the page begins
   */
  static BrandLane read(DynamoDbClient dynamoDb, QueryRequest query, Instant newest) {
    List<EventPlace> found = new ArrayList<>();
    Optional<Instant> cutAt;
    Map<String, AttributeValue> startKey = Map.of();
    do {
      QueryRequest.Builder next = query.toBuilder();
      if (!startKey.isEmpty()) {
        next.exclusiveStartKey(startKey);
      }
      QueryResponse read = call("Query on events", () -> dynamoDb.query(next.build()));
      read.items().stream().map(Item::new).map(BrandIndex::place).forEach(found::add);
      startKey = read.hasLastEvaluatedKey() ? read.lastEvaluatedKey() : Map.of();
      // The last entry that was looked at, not the last that passed the filter. DynamoDB orders
      // those of one millisecond as it likes.
      cutAt =
          startKey.isEmpty()
              ? Optional.empty()
              : Optional.of(BrandIndex.place(new Item(startKey)).createdAt());
    } while (cutAt.filter(time -> !time.isBefore(newest)).isPresent());
    return new BrandLane(found, cutAt);
  }
}
