package dev.connectorevents.aws;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.event.Submission;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.UUID;

/**
 * The keys under which readers find events: by brand and by type, in the order of their creation.
 *
 * <p>Each partition key ends in {@code #} and a shard, {@code 0} to {@code 7}: one partition takes
 * 1,000 write units a second, and an index that is throttled throttles its table.
 */
final class IndexKeys {

  /** Queries that a reader makes to see all events of one brand or type. */
  static final int SHARDS = 8;

  /** DynamoDB's limit for a partition key, in bytes. */
  static final int MAX_PARTITION_KEY_BYTES = 2_048;

  /** Always three digits of fraction, so that text sorts as time. */
  private static final DateTimeFormatter SORTABLE =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

  private IndexKeys() {}

  static void put(Submission submission, Item item) {
    UUID id = submission.event().id();
    item.put("event_type_key", partition(submission.event().type().value(), id));
    item.put("sort_key", SORTABLE.format(submission.event().createdAt()) + "#" + id);
    submission
        .payload()
        .meta()
        .brandId()
        .map(brand -> partition(brand, id))
        .filter(IndexKeys::isKey)
        .ifPresent(key -> item.put("brand_key", key));
  }

  /** A brand whose name can be no key is a legal one all the same: its events are not indexed. */
  private static boolean isKey(String key) {
    return UTF_8.newEncoder().canEncode(key)
        && key.getBytes(UTF_8).length <= MAX_PARTITION_KEY_BYTES;
  }

  private static String partition(String value, UUID id) {
    return value + "#" + Math.floorMod(id.getLeastSignificantBits(), SHARDS);
  }
}
