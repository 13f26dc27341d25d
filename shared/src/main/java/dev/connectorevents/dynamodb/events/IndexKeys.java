package dev.connectorevents.dynamodb.events;

import static dev.connectorevents.dynamodb.events.EventAttributes.BRAND_KEY;
import static dev.connectorevents.dynamodb.events.EventAttributes.CREATED_AT;
import static dev.connectorevents.dynamodb.events.EventAttributes.EVENT_TYPE_KEY;
import static java.nio.charset.StandardCharsets.UTF_8;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.Unicode;
import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.event.EventPosition;
import dev.connectorevents.event.EventQuery;
import dev.connectorevents.event.EventToStore;
import dev.connectorevents.event.EventType;
import dev.connectorevents.event.Timestamp;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/**
 * Writes and reads the keys of the two indexes in which readers find events: by type and by brand.
 *
 * <p>Each partition key ends in {@code #} and a shard, {@code 0} to {@code 7}: one partition of an
 * index takes at most 1,000 write units per second, and a throttled index throttles its table.
 * {@link DynamoEvents} draws the shard at random. If a sender could choose it, one leaked token
 * could aim all its writes at one shard.
 *
 * <p>The sort key of both is the time of creation.
 */
public final class IndexKeys {

  /** Number of shards: a reader queries each of them to see all events of a brand or type. */
  public static final int SHARDS = 8;

  /** DynamoDB's limit for a partition key, in bytes. */
  private static final int MAX_BYTES = 2_048;

  private IndexKeys() {}

  /**
   * Puts an event's keys into its item.
   *
   * @param shard of both indexes, below {@link #SHARDS}
   */
  static void put(Item item, EventToStore toStore, int shard) {
    item.put(CREATED_AT, Timestamp.of(toStore.event().createdAt()))
        .put(EVENT_TYPE_KEY, sharded(toStore.event().type().value(), shard))
        .put(BRAND_KEY, brandKey(toStore, shard));
  }

  /**
   * The key of the event's brand. Null if the event has no brand, or if the brand's name cannot be
   * a key: such a name is legal, but the index does not list its events. An empty name could be a
   * key, but a list refuses it.
   */
  private static @Nullable String brandKey(EventToStore toStore, int shard) {
    Optional<String> brand = toStore.payload().meta().brandId();
    return brand
        .filter(name -> !name.isEmpty())
        .map(name -> sharded(name, shard))
        .filter(IndexKeys::isKey)
        .orElse(null);
  }

  /** Reads the event type from its key: the item stores it nowhere else. */
  static EventType eventType(Item item) {
    String key = item.text(EVENT_TYPE_KEY);
    return new EventType(key.substring(0, key.lastIndexOf('#')));
  }

  /** The event's place in lists, from its item or from an entry of an index. */
  static EventPosition position(Item item) {
    return new EventPosition(
        Instant.parse(item.text(CREATED_AT)), UUID.fromString(item.text("id")));
  }

  /** A query of each shard, for the events from one time to another, both included. */
  static Stream<QueryRequest.Builder> queries(EventQuery.Filter filter, Instant from, Instant to) {
    return IntStream.range(0, SHARDS)
        .mapToObj(shard ->
            QueryRequest.builder()
                .indexName(index(filter))
                .keyConditionExpression("#key = :key AND " + CREATED_AT + " BETWEEN :from AND :to")
                .expressionAttributeNames(Map.of("#key", partitionKey(filter)))
                .expressionAttributeValues(
                    Map.of(
                        ":key", fromS(sharded(filter.value(), shard)),
                        ":from", fromS(Timestamp.of(from)),
                        ":to", fromS(Timestamp.of(to)))));
  }

  /** The index that answers queries with this filter. */
  private static String index(EventQuery.Filter filter) {
    return switch (filter) {
      case EventQuery.OfType _ -> "by_event_type";
      case EventQuery.OfBrand _ -> "by_brand";
    };
  }

  /** The attribute that is the index's partition key. */
  static String partitionKey(EventQuery.Filter filter) {
    return switch (filter) {
      case EventQuery.OfType _ -> EVENT_TYPE_KEY;
      case EventQuery.OfBrand _ -> BRAND_KEY;
    };
  }

  static String sharded(String name, int shard) {
    return name + "#" + shard;
  }

  private static boolean isKey(String key) {
    return Unicode.isWellFormed(key) && key.getBytes(UTF_8).length <= MAX_BYTES;
  }
}
