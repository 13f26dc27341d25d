package dev.connectorevents.dynamodb.events;

import static dev.connectorevents.dynamodb.events.EventAttributes.BRAND_KEY;
import static dev.connectorevents.dynamodb.events.EventAttributes.CREATED_AT;
import static java.nio.charset.StandardCharsets.UTF_8;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.Unicode;
import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.event.EventPlace;
import dev.connectorevents.event.EventToStore;
import dev.connectorevents.event.Timestamp;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/**
 * Writes and reads the keys of the index {@code by_brand}, which has the events of each brand by
 * the time of their creation.
 *
 * <p>A brand has {@value #LANES} lanes, {@code 0} to {@code 7}: one partition of an index takes at
 * most 1,000 write units per second, and a throttled index throttles its table. {@link
 * DynamoEvents} draws the lane at random. If a sender could choose it, one leaked token could aim
 * all its writes at one lane.
 */
public final class BrandIndex {

  /** Number of lanes: a reader queries each of them to see all events of a brand. */
  public static final int LANES = 8;

  private static final String NAME = "by_brand";

  /** DynamoDB's limit for a partition key, in bytes. */
  private static final int MAX_BYTES = 2_048;

  private BrandIndex() {}

  /**
   * The key of an event's brand. Null if the event has no brand, or if the brand's name cannot be a
   * key: such a name is legal, but the index does not list its events. An empty name could be a
   * key, but a list refuses it.
   *
   * @param lane below {@link #LANES}
   */
  static @Nullable String key(EventToStore toStore, int lane) {
    return toStore
        .payload()
        .meta()
        .brandId()
        .filter(name -> !name.isEmpty())
        .map(name -> key(name, lane))
        .filter(BrandIndex::isKey)
        .orElse(null);
  }

  private static String key(String brand, int lane) {
    return brand + "#" + lane;
  }

  private static boolean isKey(String key) {
    return Unicode.isWellFormed(key) && key.getBytes(UTF_8).length <= MAX_BYTES;
  }

  /** The brand of an item; empty if the index does not list it. */
  public static Optional<String> brand(Item item) {
    return Optional.ofNullable(
        item.optional(BRAND_KEY, key -> key.substring(0, key.lastIndexOf('#'))));
  }

  /** The place of an entry among the events of its brand. */
  public static EventPlace place(Item entry) {
    return new EventPlace(Instant.parse(entry.text(CREATED_AT)), UUID.fromString(entry.text("id")));
  }

  /** A query of each lane, for what was created from one time to another, both included. */
  public static Stream<QueryRequest> queries(
      String table, String brand, Instant first, Instant last) {
    return IntStream.range(0, LANES)
        .mapToObj(lane ->
            QueryRequest.builder()
                .tableName(table)
                .indexName(NAME)
                .keyConditionExpression("#lane = :lane AND #time BETWEEN :first AND :last")
                .expressionAttributeNames(Map.of("#lane", BRAND_KEY, "#time", CREATED_AT))
                .expressionAttributeValues(
                    Map.of(
                        ":lane",
                        fromS(key(brand, lane)),
                        ":first",
                        fromS(Timestamp.of(first)),
                        ":last",
                        fromS(Timestamp.of(last))))
                .build());
  }

  /** The key of an entry: the next query of its lane may start after it. */
  public static Map<String, AttributeValue> startKey(String brand, int lane, EventPlace place) {
    return Map.of(
        BRAND_KEY,
        fromS(key(brand, lane)),
        CREATED_AT,
        fromS(Timestamp.of(place.createdAt())),
        "id",
        fromS(place.id().toString()));
  }
}
