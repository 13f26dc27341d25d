package dev.connectorevents.event;

import dev.connectorevents.DependencyUnavailableException;
import java.util.Optional;

/** Lists events, newest first. */
public interface EventList {

  /**
   * A page of the events of a query. An event appears here a moment after it was stored, since the
   * store's index lags. Pages neither skip nor repeat an event that was in the index when the first
   * page was read, unless it is erased or expires meanwhile.
   *
   * @param after the position where the previous page ended; empty for the first page
   * @param limit the largest number of events on the page, 1 to 100
   * @throws DependencyUnavailableException if the store does not answer
   */
  EventPage list(EventQuery query, Optional<EventPosition> after, int limit);
}
