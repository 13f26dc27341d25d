package dev.connectorevents.event;

import dev.connectorevents.DependencyUnavailableException;
import java.util.List;
import java.util.Optional;

/** Lists the stored events of a brand by {@code created_at}, newest first. */
public interface BrandList {

  /**
   * One page of a list.
   *
   * @param entries may be fewer than asked for, even none, even if more pages follow
   * @param next where the next page begins; empty at the end of the list
   */
  record Page(List<ListEntry> entries, Optional<EventPlace> next) {
    public Page {
      entries = List.copyOf(entries);
    }
  }

  /**
   * A page of the events of a query, which names a brand. Pages neither skip nor repeat an event,
   * unless it is stored, erased or expires meanwhile.
   *
   * @param scope the event types that the reader may see; empty: all
   * @param after the {@code next} of the previous page; empty for the first one
   * @param limit the largest number of entries on the page, as in the feed
   * @throws DependencyUnavailableException if the store does not answer
   */
  Page page(EventQuery query, Optional<EventTypes> scope, Optional<EventPlace> after, int limit);
}
