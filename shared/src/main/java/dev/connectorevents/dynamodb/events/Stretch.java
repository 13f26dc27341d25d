package dev.connectorevents.dynamodb.events;

import dev.connectorevents.event.EventOrder;
import dev.connectorevents.event.EventPosition;
import dev.connectorevents.event.EventQuery;
import java.time.Instant;
import java.util.Optional;

/**
 * The part of a list that is not read yet: what lies between two places, without them.
 *
 * @param begin where the reader is
 * @param end where the list ends for now
 */
record Stretch(EventOrder order, EventPosition begin, EventPosition end) {

  private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");
  private static final Instant AFTER_LAST = Instant.parse("9999-12-31T23:59:59.999Z").plusMillis(1);

  /**
   * @param after where the page before ended; empty for the first page
   * @param completeUntil where a feed ends for now, unless it ends earlier
   */
  static Stretch of(EventQuery query, Optional<EventPosition> after, Instant completeUntil) {
    EventPosition from = EventPosition.before(query.from().orElse(FIRST));
    EventPosition to = EventPosition.before(query.to().orElse(AFTER_LAST));
    return switch (query.order()) {
      case ASC ->
          new Stretch(
              query.order(), after.orElse(from), min(to, EventPosition.before(completeUntil)));
      case DESC -> new Stretch(query.order(), after.orElse(to), from);
    };
  }

  private static EventPosition min(EventPosition one, EventPosition other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /** Whether it ends where the list may never go on. */
  boolean endsAt(Optional<Instant> to) {
    return to.filter(it -> !end.createdAt().isBefore(it)).isPresent();
  }

  boolean isEmpty() {
    return !order.isBefore(begin, end);
  }

  boolean contains(EventPosition position) {
    return order.isBefore(begin, position) && order.isBefore(position, end);
  }

  /** The earliest millisecond that has a part in it. */
  Instant first() {
    return switch (order) {
      case ASC -> begin.createdAt();
      case DESC -> end.createdAt();
    };
  }

  /** The latest millisecond that has a part in it. */
  Instant last() {
    return switch (order) {
      case ASC -> lastBefore(end);
      case DESC -> lastBefore(begin);
    };
  }

  private static Instant lastBefore(EventPosition position) {
    return position.isBeforeMillisecond()
        ? position.createdAt().minusMillis(1)
        : position.createdAt();
  }
}
