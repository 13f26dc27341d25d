package dev.connectorevents.feed;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.event.EventQuery;
import dev.connectorevents.event.ListEntry;
import dev.connectorevents.event.PageRoom;
import java.util.List;

/** What is still stored of the entries of the feed. */
public interface StoredEntries {

  /**
   * What a page shows.
   *
   * @param judged how many of the entries that were asked for were shown or left out: at least one
   *     of them. The next one is for the next page
   */
  record Shown(List<ListEntry> entries, int judged) {
    public Shown {
      entries = List.copyOf(entries);
    }
  }

  /**
   * Shows entries, in their order, for as long as the page has room. Leaves out those whose item is
   * another one by now: erased, expired, stored or numbered anew, or of another brand.
   *
   * @throws DependencyUnavailableException if the store does not answer for the first of them
   */
  Shown show(List<Segment.Placed> entries, EventQuery query, PageRoom room);
}
