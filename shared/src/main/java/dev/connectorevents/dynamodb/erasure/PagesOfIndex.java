package dev.connectorevents.dynamodb.erasure;

import static dev.connectorevents.dynamodb.Calls.call;
import static dev.connectorevents.dynamodb.erasure.ErasableItems.placed;

import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.dynamodb.erasure.ErasableItems.Named;
import dev.connectorevents.dynamodb.events.BatchReads;
import dev.connectorevents.dynamodb.events.BrandIndex;
import dev.connectorevents.erasure.ErasableEvents.Page;
import dev.connectorevents.erasure.ErasableEvents.Search;
import dev.connectorevents.event.EventPlace;
import dev.connectorevents.event.Timestamp;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/** Finds the events of a brand in its index, page by page. */
final class PagesOfIndex {

  private final DynamoDbClient dynamoDb;
  private final String table;
  private final BatchReads reads;
  private final ErasableItems items;

  PagesOfIndex(DynamoDbClient dynamoDb, String table, BatchReads reads, ErasableItems items) {
    this.dynamoDb = dynamoDb;
    this.table = table;
    this.reads = reads;
    this.items = items;
  }

  /**
   * A place in the lanes of a brand, one lane after the other. As text, its parts are separated by
   * spaces.
   *
   * @param last the last entry before the place; empty at the beginning of the lane
   */
  private record LanePlace(int lane, Optional<EventPlace> last) {

    static LanePlace parse(String text) {
      String[] parts = text.split(" ", 3);
      return new LanePlace(
          Objects.checkIndex(Integer.parseInt(parts[0]), BrandIndex.LANES),
          parts.length < 3
              ? Optional.empty()
              : Optional.of(new EventPlace(Instant.parse(parts[1]), UUID.fromString(parts[2]))));
    }

    String text() {
      return last.map(it -> lane + " " + Timestamp.of(it.createdAt()) + " " + it.id())
          .orElse(Integer.toString(lane));
    }
  }

  /**
   * Queries one lane after the other: the order of the events does not matter here.
   *
   * @param end the place after all lanes; empty if nothing follows
   */
  Page page(String brand, Search search, Optional<String> after, Optional<String> end) {
    LanePlace place = placed(() -> LanePlace.parse(after.orElse("0")));
    place.last().ifPresent(it -> placed(() -> within(it.createdAt(), search)));
    Instant last = search.before().minusMillis(1);
    QueryRequest.Builder query =
        BrandIndex.queries(table, brand, search.from(), last).toList().get(place.lane()).toBuilder()
            .limit(ErasableItems.PAGE)
            .returnConsumedCapacity(reads.capacity());
    place
        .last()
        .ifPresent(it -> query.exclusiveStartKey(BrandIndex.startKey(brand, place.lane(), it)));
    QueryResponse found = call("Query on events", () -> dynamoDb.query(query.build()));
    reads.meter(found.consumedCapacity());
    List<Named> named =
        found.items().stream()
            .map(item -> BrandIndex.place(new Item(item)))
            .distinct()
            .map(key -> new Named(key.id(), at(place.lane(), key)))
            .toList();
    Optional<String> ofLane =
        Item.afterPage(found.lastEvaluatedKey())
            .map(key -> at(place.lane(), BrandIndex.place(key)));
    int next = place.lane() + 1;
    return items.page(
        named,
        search,
        ofLane.or(() ->
            next < BrandIndex.LANES
                ? Optional.of(new LanePlace(next, Optional.empty()).text())
                : end));
  }

  /** DynamoDB refuses to begin a query at a place outside of its times. */
  private static Instant within(Instant time, Search search) {
    if (time.isBefore(search.from()) || !time.isBefore(search.before())) {
      throw new IllegalArgumentException(time.toString());
    }
    return time;
  }

  private static String at(int lane, EventPlace last) {
    return new LanePlace(lane, Optional.of(last)).text();
  }
}
