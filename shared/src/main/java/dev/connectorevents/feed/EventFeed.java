package dev.connectorevents.feed;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.event.EventQuery;
import dev.connectorevents.event.EventTypes;
import dev.connectorevents.event.ListEntry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Lists the stored events and the erasures by position, in either order. */
public interface EventFeed {

  /** The most entries of a page. */
  int MOST_ENTRIES = 1_000;

  /** The answer to a request for a page. */
  sealed interface Outcome {

    /**
     * One page.
     *
     * @param entries may be fewer than asked for, even none, even if more pages follow
     * @param next the last position that was judged. Empty at the end of a list newest first
     * @param hasMore whether the next page may already have entries
     * @param head the last position of all; 0 while none was given
     * @param whole what the feed is known to hold, up to this head or before; empty if nobody knows
     * @param feed the name of the feed; empty while no position was given
     * @param behind how long ago the entry after this page got its position; zero if there is none,
     *     and newest first
     */
    record Page(
        List<ListEntry> entries,
        Optional<FeedCursor> next,
        boolean hasMore,
        long head,
        Optional<Whole> whole,
        Optional<String> feed,
        Duration behind)
        implements Outcome {
      public Page {
        entries = List.copyOf(entries);
      }
    }

    /** The cursor belongs to another feed, or lies past the end of this one. */
    record ForeignCursor() implements Outcome {}

    /** The same of the end of the window. */
    record ForeignUntil() implements Outcome {}
  }

  /**
   * A page of the entries of a query.
   *
   * @param scope the event types that the reader may see; empty: all
   * @param limit the largest number of entries on the page, 1 to {@value #MOST_ENTRIES}
   * @throws DependencyUnavailableException if a store does not answer
   */
  Outcome page(EventQuery query, Optional<EventTypes> scope, FeedWindow window, int limit);
}
