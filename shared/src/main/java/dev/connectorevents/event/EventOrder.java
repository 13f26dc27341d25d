package dev.connectorevents.event;

import java.time.Instant;
import java.util.Comparator;

/** The order in which a list is read. */
public enum EventOrder {
  /** Oldest first: the feed. */
  ASC,

  /** Newest first: the exact reverse. */
  DESC;

  public Comparator<EventPosition> comparator() {
    return switch (this) {
      case ASC -> Comparator.naturalOrder();
      case DESC -> Comparator.reverseOrder();
    };
  }

  /** Whether a reader comes to one position before the other. */
  public boolean isBefore(EventPosition one, EventPosition other) {
    return comparator().compare(one, other) < 0;
  }

  /** The place that a reader comes to before all events of this millisecond. */
  public EventPosition before(Instant millisecond) {
    return EventPosition.before(this == ASC ? millisecond : millisecond.plusMillis(1));
  }
}
