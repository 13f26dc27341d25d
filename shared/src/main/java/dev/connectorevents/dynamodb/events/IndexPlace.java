package dev.connectorevents.dynamodb.events;

import static dev.connectorevents.dynamodb.events.EventAttributes.CREATED_AT;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.event.EventPosition;
import dev.connectorevents.event.EventQuery;
import dev.connectorevents.event.Timestamp;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/**
 * A place in the shards of an index, one shard after the other. As text, its parts are separated by
 * spaces.
 *
 * @param createdAt the sort key of the last entry before the place; null at the beginning of the
 *     shard, as {@code id}
 */
record IndexPlace(int shard, @Nullable String createdAt, @Nullable String id) {

  static final IndexPlace FIRST = new IndexPlace(0, null, null);

  /**
   * Parses the text of a place.
   *
   * @throws IllegalArgumentException if it is none
   */
  static IndexPlace parse(String text) {
    String[] parts = text.split(" ", -1);
    int shard = Integer.parseInt(parts[0]);
    return switch (parts.length) {
      case 1 -> new IndexPlace(shard, null, null);
      case 3 -> new IndexPlace(shard, parts[1], parts[2]);
      default -> throw new IllegalArgumentException("not a place in an index");
    };
  }

  /** The key to start after; null at the beginning of the shard. */
  @Nullable Map<String, AttributeValue> startKey(EventQuery.Filter filter) {
    return createdAt == null || id == null
        ? null
        : Map.of(
            IndexKeys.partitionKey(filter),
            fromS(IndexKeys.sharded(filter.value(), shard)),
            CREATED_AT,
            fromS(createdAt),
            "id",
            fromS(id));
  }

  /** The place after an entry of this shard. */
  IndexPlace after(EventPosition entry) {
    return new IndexPlace(shard, Timestamp.of(entry.createdAt()), entry.id().toString());
  }

  /** The place after a page of this shard. It may be in a shard that does not exist. */
  IndexPlace after(QueryResponse page) {
    if (!page.hasLastEvaluatedKey() || page.lastEvaluatedKey().isEmpty()) {
      return new IndexPlace(shard + 1, null, null);
    }
    Item last = new Item(page.lastEvaluatedKey());
    return new IndexPlace(shard, last.text(CREATED_AT), last.text("id"));
  }

  @Override
  public String toString() {
    return id == null ? Integer.toString(shard) : shard + " " + createdAt + " " + id;
  }
}
