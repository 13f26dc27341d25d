package dev.connectorevents.dynamodb.events;

import static dev.connectorevents.dynamodb.events.EventAttributes.BRAND_KEY;
import static dev.connectorevents.dynamodb.events.EventAttributes.CREATED_AT;
import static dev.connectorevents.dynamodb.events.EventAttributes.EVENT_TYPE;
import static dev.connectorevents.dynamodb.events.EventAttributes.LANE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.Unicode;
import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.event.EventPosition;
import dev.connectorevents.event.EventToStore;
import dev.connectorevents.event.Timestamp;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/**
 * Writes and reads the keys of the two indexes in which readers find events: {@code by_time} has
 * all events and tombstones, {@code by_brand} the events of each brand.
 *
 * <p>Each index has {@value #LANES} lanes, {@code 0} to {@code 7}: one partition of an index takes
 * at most 1,000 write units per second, and a throttled index throttles its table. {@link
 * DynamoEvents} draws the lane at random. If a sender could choose it, one leaked token could aim
 * all its writes at one lane.
 *
 * <p>The sort key of both is the time of creation.
 */
public final class IndexKeys {

  /** Number of lanes: a reader queries each of them to see all events. */
  public static final int LANES = 8;

  /** DynamoDB's limit for a partition key, in bytes. */
  private static final int MAX_BYTES = 2_048;

  private IndexKeys() {}

  /**
   * Puts an event's keys into its item, except for {@code created_at}.
   *
   * @param lane of both indexes, below {@link #LANES}
   */
  static void put(Item item, EventToStore toStore, int lane) {
    item.put(EVENT_TYPE, toStore.type().value())
        .put(LANE, Integer.toString(lane))
        .put(BRAND_KEY, brandKey(toStore, lane));
  }

  /**
   * The key of the event's brand. Null if the event has no brand, or if the brand's name cannot be
   * a key: such a name is legal, but the index does not list its events. An empty name could be a
   * key, but a list refuses it.
   */
  private static @Nullable String brandKey(EventToStore toStore, int lane) {
    Optional<String> brand = toStore.payload().meta().brandId();
    return brand
        .filter(name -> !name.isEmpty())
        .map(name -> brandKey(name, lane))
        .filter(IndexKeys::isKey)
        .orElse(null);
  }

  private static String brandKey(String brand, int lane) {
    return brand + "#" + lane;
  }

  private static boolean isKey(String key) {
    return Unicode.isWellFormed(key) && key.getBytes(UTF_8).length <= MAX_BYTES;
  }

  /** The event's place in lists, from its item or from an entry of an index. */
  static EventPosition position(Item item) {
    return new EventPosition(
        Instant.parse(item.text(CREATED_AT)), UUID.fromString(item.text("id")));
  }

  /**
   * A query of each lane, for what was created from one time to another, both included.
   *
   * @param brand whose events to find; empty for all events and tombstones
   */
  static Stream<QueryRequest.Builder> queries(
      Optional<String> brand, Instant first, Instant last, IndexFilter filter) {
    return IntStream.range(0, LANES)
        .mapToObj(lane -> {
          Map<String, AttributeValue> values = new HashMap<>(filter.values());
          values.put(":lane", fromS(partition(brand, lane)));
          values.put(":first", fromS(Timestamp.of(first)));
          values.put(":last", fromS(Timestamp.of(last)));
          return QueryRequest.builder()
              .indexName(brand.isPresent() ? "by_brand" : "by_time")
              .keyConditionExpression("#lane = :lane AND #time BETWEEN :first AND :last")
              .filterExpression(filter.expression())
              .expressionAttributeNames(Map.of("#lane", partitionKey(brand), "#time", CREATED_AT))
              .expressionAttributeValues(values);
        });
  }

  /** The key of an entry of {@link #queries}: the next query may start after it. */
  static Map<String, AttributeValue> key(
      Optional<String> brand, int lane, String createdAt, String id) {
    return Map.of(
        partitionKey(brand),
        fromS(partition(brand, lane)),
        CREATED_AT,
        fromS(createdAt),
        "id",
        fromS(id));
  }

  private static String partitionKey(Optional<String> brand) {
    return brand.isPresent() ? BRAND_KEY : LANE;
  }

  private static String partition(Optional<String> brand, int lane) {
    return brand.map(name -> brandKey(name, lane)).orElseGet(() -> Integer.toString(lane));
  }
}
