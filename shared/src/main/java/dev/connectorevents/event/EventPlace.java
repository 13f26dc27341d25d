package dev.connectorevents.event;

import java.time.Instant;
import java.util.Comparator;
import java.util.UUID;

/**
 * A place among a brand's events in the order of their creation, and by id within a millisecond:
 * that of an event, or {@linkplain #before before} all events of a millisecond.
 *
 * @param createdAt in whole milliseconds
 */
public record EventPlace(Instant createdAt, UUID id) implements Comparable<EventPlace> {

  /** Less than the id of any event (RFC 9562, 5.9). */
  private static final UUID NIL = new UUID(0, 0);

  // By text: UUID.compareTo compares signed numbers.
  private static final Comparator<EventPlace> OLDEST_FIRST =
      Comparator.comparing(EventPlace::createdAt).thenComparing(place -> place.id().toString());

  /** The place before all events that were created in this millisecond. */
  public static EventPlace before(Instant createdAt) {
    return new EventPlace(createdAt, NIL);
  }

  /**
   * Whether it is the place {@linkplain #before before} a millisecond, and not that of an event.
   */
  public boolean isBeforeMillisecond() {
    return id.equals(NIL);
  }

  @Override
  public int compareTo(EventPlace other) {
    return OLDEST_FIRST.compare(this, other);
  }
}
