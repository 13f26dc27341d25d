package dev.connectorevents.event;

import dev.connectorevents.DependencyUnavailableException;
import java.time.Instant;
import java.util.Optional;

/** Lists the stored events in the order of their creation, or in its reverse. */
public interface EventList {

  /**
   * A page of the events of a query. Pages neither skip nor repeat an event that was created before
   * {@code completeUntil}, unless it is erased or expires meanwhile.
   *
   * @param scope the event types that the reader may see; empty: all
   * @param after the {@code next} of the previous page; empty for the first one
   * @param completeUntil the index has all that was created before this time. In {@link
   *     EventOrder#ASC}, nothing later is listed
   * @param limit the largest number of entries on the page, 1 to 100
   * @throws DependencyUnavailableException if the store does not answer
   */
  EventPage page(
      EventQuery query,
      Optional<EventTypes> scope,
      Optional<EventPosition> after,
      Instant completeUntil,
      int limit);
}
