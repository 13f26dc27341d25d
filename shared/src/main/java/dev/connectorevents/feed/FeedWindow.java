package dev.connectorevents.feed;

import dev.connectorevents.event.EventOrder;
import java.util.Optional;

/**
 * Between which positions a page lies. Windows of the feed join exactly: the {@code until} of one
 * is the cursor of the next.
 *
 * @param cursor the {@code next} of an earlier page, also under another query; empty to begin
 * @param until the last position, oldest first; empty: the head
 */
public record FeedWindow(Optional<FeedCursor> cursor, Optional<FeedCursor> until) {

  /** Everything. */
  public static final FeedWindow ALL = new FeedWindow(Optional.empty(), Optional.empty());

  /** The first position of a page. */
  long begin(EventOrder order) {
    return order.after(
        switch (order) {
          case ASC -> cursor.map(FeedCursor::position).orElse(0L);
          case DESC -> cursor.map(FeedCursor::position).orElse(Long.MAX_VALUE);
        });
  }

  /** The last position that a page may show, oldest first. */
  long end() {
    return until.map(FeedCursor::position).orElse(Long.MAX_VALUE);
  }
}
