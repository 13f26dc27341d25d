package dev.connectorevents.dynamodb;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.event.EventType;
import dev.connectorevents.event.Submission;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The keys under which readers find events: by type and by brand, in the order of their creation.
 *
 * <p>Each ends in {@code #} and a shard, {@code 0} to {@code 7}: one partition of an index takes
 * 1,000 write units a second, and an index that is throttled throttles its table.
 */
final class IndexKeys {

  /** Queries that a reader makes to see all events of one brand or type. */
  static final int SHARDS = 8;

  /** DynamoDB's limit for a partition key. */
  static final int MAX_BYTES = 2_048;

  private IndexKeys() {}

  static String eventType(Submission submission) {
    return sharded(submission.event().type().value(), submission.event().id());
  }

  /** The event type in such a key, which is the one place where an item has it. */
  static EventType eventType(String key) {
    return new EventType(key.substring(0, key.lastIndexOf('#')));
  }

  /**
   * Null for an event without a brand, and for a brand whose name can be no key: it is a legal one
   * all the same, but its events are not indexed by it.
   */
  static @Nullable String brand(Submission submission) {
    Optional<String> brand = submission.payload().meta().brandId();
    return brand
        .filter(name -> !name.isEmpty())
        .map(name -> sharded(name, submission.event().id()))
        .filter(IndexKeys::isKey)
        .orElse(null);
  }

  private static String sharded(String name, UUID id) {
    return name + "#" + Math.floorMod(id.getLeastSignificantBits(), SHARDS);
  }

  private static boolean isKey(String key) {
    return UTF_8.newEncoder().canEncode(key) && key.getBytes(UTF_8).length <= MAX_BYTES;
  }
}
