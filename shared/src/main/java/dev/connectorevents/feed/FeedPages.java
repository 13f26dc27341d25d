package dev.connectorevents.feed;

import dev.connectorevents.event.EventOrder;
import dev.connectorevents.event.EventQuery;
import dev.connectorevents.event.EventTypes;
import dev.connectorevents.event.PageRoom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/** Finds the entries of a page in the segments of the feed, and shows what is stored of them. */
public final class FeedPages implements EventFeed {

  private final WholeFeed log;
  private final FeedReader feed;
  private final StoredEntries stored;
  private final InstantSource clock;

  public FeedPages(WholeFeed log, StoredEntries stored, InstantSource clock) {
    this.log = log;
    this.feed = new FeedReader(log, clock);
    this.stored = stored;
    this.clock = clock;
  }

  @Override
  public Outcome page(EventQuery query, Optional<EventTypes> scope, FeedWindow window, int limit) {
    PageRoom room = new PageRoom(clock);
    EventOrder order = query.order();
    Optional<Whole> whole = log.whole(); // before the head, which then has all that it promises
    FeedReader.Found found =
        feed.find(
            order,
            window.begin(order),
            new FeedReader.Bounds(query.from(), query.to(), window.end()),
            new FeedFilter(query, scope),
            limit);
    if (isForeign(window.cursor(), found)) {
      return new Outcome.ForeignCursor();
    }
    if (isForeign(window.until(), found)) {
      return new Outcome.ForeignUntil();
    }
    return new FeedPage(order, window, found, stored.show(found.entries(), query, room))
        .page(whole.filter(it -> it.isOf(found.last())), clock.instant());
  }

  private static boolean isForeign(Optional<FeedCursor> cursor, FeedReader.Found found) {
    return cursor.filter(it -> !it.isIn(found.last())).isPresent();
  }

  /** What was found for a page and shown of it: tells where the page ends. */
  private record FeedPage(
      EventOrder order, FeedWindow window, FeedReader.Found found, StoredEntries.Shown shown) {

    Outcome.Page page(Optional<Whole> whole, Instant now) {
      return new Outcome.Page(
          shown.entries(),
          order == EventOrder.DESC && isOver() ? Optional.empty() : Optional.of(next()),
          hasMore(),
          found.head(),
          whole,
          found.last().map(Segment::feed),
          behind(now));
    }

    /** Whether all that was found was also judged. */
    private boolean isWhole() {
      return shown.judged() == found.entries().size();
    }

    private boolean isOver() {
      return isWhole() && found.isOver();
    }

    private boolean hasMore() {
      return switch (order) {
        case ASC -> judged() < Math.min(window.end(), found.head());
        case DESC -> !isOver();
      };
    }

    /** The last position that was shown or left out. */
    private long judged() {
      return isWhole()
          ? found.judged()
          : order.before(found.entries().get(shown.judged()).position());
    }

    private FeedCursor next() {
      return found
          .last()
          .map(last -> new FeedCursor(Optional.of(last.feed()), judged()))
          .orElse(FeedCursor.BEGINNING);
    }

    private Duration behind(Instant now) {
      return (isWhole() ? found.unreadAt() : Optional.of(found.entries().get(shown.judged()).at()))
          .filter(_ -> order == EventOrder.ASC)
          .filter(now::isAfter) // another clock gave it
          .map(unread -> Duration.between(unread, now))
          .orElse(Duration.ZERO);
    }
  }
}
