package dev.connectorevents.dynamodb.events;

import static dev.connectorevents.dynamodb.events.EventAttributes.CREATED_AT;

import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.event.EventPosition;
import dev.connectorevents.event.Timestamp;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/**
 * A place in the lanes of an index, one lane after the other. As text, its parts are separated by
 * spaces.
 *
 * @param createdAt the sort key of the last entry before the place; null at the beginning of the
 *     lane, as {@code id}
 */
record IndexPlace(int lane, @Nullable String createdAt, @Nullable String id) {

  static final IndexPlace FIRST = new IndexPlace(0, null, null);

  /**
   * Parses the text of a place.
   *
   * @throws IllegalArgumentException if it is none
   */
  static IndexPlace parse(String text) {
    String[] parts = text.split(" ", -1);
    int lane = Integer.parseInt(parts[0]);
    return switch (parts.length) {
      case 1 -> new IndexPlace(lane, null, null);
      case 3 -> new IndexPlace(lane, parts[1], parts[2]);
      default -> throw new IllegalArgumentException("not a place in an index");
    };
  }

  /** The key to start after; null at the beginning of the lane. */
  @Nullable Map<String, AttributeValue> startKey(Optional<String> brand) {
    return createdAt == null || id == null ? null : IndexKeys.key(brand, lane, createdAt, id);
  }

  /** The place after an entry of this lane. */
  IndexPlace after(EventPosition entry) {
    return new IndexPlace(lane, Timestamp.of(entry.createdAt()), entry.id().toString());
  }

  /** The place after a page of this lane. It may be in a lane that does not exist. */
  IndexPlace after(QueryResponse page) {
    if (!page.hasLastEvaluatedKey() || page.lastEvaluatedKey().isEmpty()) {
      return new IndexPlace(lane + 1, null, null);
    }
    Item last = new Item(page.lastEvaluatedKey());
    return new IndexPlace(lane, last.text(CREATED_AT), last.text("id"));
  }

  @Override
  public String toString() {
    return id == null ? Integer.toString(lane) : lane + " " + createdAt + " " + id;
  }
}
