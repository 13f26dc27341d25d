package dev.connectorevents.dynamodb;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.Unicode;
import dev.connectorevents.event.EventQuery;
import dev.connectorevents.event.EventType;
import dev.connectorevents.event.Submission;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes the partition keys of the two indexes in which readers find events: by type and by brand.
 *
 * <p>Each key ends in {@code #} and a shard, {@code 0} to {@code 7}: one partition of an index
 * takes at most 1,000 write units per second, and a throttled index throttles its table. {@link
 * DynamoEvents} draws the shard. It follows from nothing that a sender chooses: otherwise one
 * leaked token could aim all its writes at one shard.
 */
public final class IndexKeys {

  static final String EVENT_TYPE_KEY = "event_type_key";
  static final String BRAND_KEY = "brand_key";

  /** Number of shards: a reader queries each of them to see all events of a brand or type. */
  public static final int SHARDS = 8;

  /** DynamoDB's limit for a partition key, in bytes. */
  static final int MAX_BYTES = 2_048;

  private IndexKeys() {}

  static String eventType(Submission submission, int shard) {
    return sharded(submission.event().type().value(), shard);
  }

  /** Reads the event type from its key: the item stores it nowhere else. */
  static EventType eventType(String key) {
    return new EventType(key.substring(0, key.lastIndexOf('#')));
  }

  /**
   * The key of the event's brand. Null if the event has no brand, or if the brand's name cannot be
   * a key: such a name is legal, but the index does not list its events.
   */
  static @Nullable String brand(Submission submission, int shard) {
    Optional<String> brand = submission.payload().meta().brandId();
    return brand
        .filter(name -> !name.isEmpty())
        .map(name -> sharded(name, shard))
        .filter(IndexKeys::isKey)
        .orElse(null);
  }

  /** The index that answers queries with this filter. */
  static String index(EventQuery.Filter filter) {
    return switch (filter) {
      case EventQuery.OfType type -> "by_event_type";
      case EventQuery.OfBrand brand -> "by_brand";
    };
  }

  /** The attribute that is the index's partition key. */
  static String attribute(EventQuery.Filter filter) {
    return switch (filter) {
      case EventQuery.OfType type -> EVENT_TYPE_KEY;
      case EventQuery.OfBrand brand -> BRAND_KEY;
    };
  }

  /** The partition keys of all shards. */
  static Stream<String> shards(EventQuery.Filter filter) {
    return IntStream.range(0, SHARDS).mapToObj(shard -> sharded(filter.value(), shard));
  }

  private static String sharded(String name, int shard) {
    return name + "#" + shard;
  }

  private static boolean isKey(String key) {
    return Unicode.isWellFormed(key) && key.getBytes(UTF_8).length <= MAX_BYTES;
  }
}
