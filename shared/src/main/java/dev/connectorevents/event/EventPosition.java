package dev.connectorevents.event;

import java.time.Instant;
import java.util.Comparator;
import java.util.UUID;

/**
 * An event's place in a list: newest first, and by id within a millisecond.
 *
 * @param createdAt in whole milliseconds
 */
public record EventPosition(Instant createdAt, UUID id) implements Comparable<EventPosition> {

  // By text: UUID.compareTo compares signed numbers.
  private static final Comparator<EventPosition> NEWEST_FIRST =
      Comparator.comparing(EventPosition::createdAt)
          .thenComparing(position -> position.id().toString())
          .reversed();

  @Override
  public int compareTo(EventPosition other) {
    return NEWEST_FIRST.compare(this, other);
  }

  /** Whether this event comes later in a list than the other one. */
  public boolean isAfter(EventPosition other) {
    return compareTo(other) > 0;
  }
}
