package dev.connectorevents.dynamodb.events;

import dev.connectorevents.event.EventOrder;
import dev.connectorevents.event.EventQuery;
import dev.connectorevents.event.EventTypes;
import dev.connectorevents.feed.BrandHash;
import dev.connectorevents.feed.EventFeed;
import dev.connectorevents.feed.FeedCursor;
import dev.connectorevents.feed.FeedEntry;
import dev.connectorevents.feed.FeedLog;
import dev.connectorevents.feed.FeedReader;
import dev.connectorevents.feed.Segment;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Lists what the feed has, with the events of the table of {@link DynamoEvents}. */
public final class DynamoEventFeed implements EventFeed {

  /**
   * A list ends at a time that is so long ago, even if the feed has nothing later. The clock that
   * gives the next position may be behind this one.
   */
  private static final Duration GRACE = Duration.ofSeconds(5);

  private final FeedReader feed;
  private final InstantSource clock;
  private final ShownEvents shown;

  /**
   * @param pause waits for the given time between two reads of the same items
   */
  public DynamoEventFeed(
      DynamoDbClient dynamoDb,
      String table,
      FeedLog log,
      InstantSource clock,
      Consumer<Duration> pause) {
    this.feed = new FeedReader(log, clock);
    this.clock = clock;
    this.shown = new ShownEvents(new BatchReads(dynamoDb, table, pause), clock);
  }

  @Override
  public Outcome page(
      EventQuery query, Optional<EventTypes> scope, Optional<FeedCursor> cursor, int limit) {
    EventOrder order = query.order();
    Optional<BrandHash> brand = query.brand().map(BrandHash::of);
    FeedReader.Found found =
        feed.find(
            order,
            begin(order, cursor),
            new FeedReader.Times(query.from(), query.to()),
            placed -> passes(placed, query, brand, scope),
            limit);
    if (cursor.flatMap(FeedCursor::feed).isPresent()
        && found.last().filter(it -> isOf(it, cursor.orElseThrow())).isEmpty()) {
      return new Outcome.Foreign();
    }
    ShownEvents.Page page = show(found, query);
    long judged = judged(found, page, order);
    boolean mayHaveMore = order == EventOrder.DESC || judged < found.head();
    boolean isWhole = page.judged() == found.entries().size();
    boolean isOver = isWhole && (found.isOver() || (!mayHaveMore && isPast(query.to())));
    return new Outcome.Page(
        page.entries(),
        isOver ? Optional.empty() : Optional.of(cursor(found.last(), judged)),
        mayHaveMore && !isOver,
        found.head(),
        order == EventOrder.DESC ? Duration.ZERO : behind(found, page));
  }

  private Duration behind(FeedReader.Found found, ShownEvents.Page page) {
    Optional<Instant> unread =
        page.judged() == found.entries().size()
            ? found.unreadAt()
            : Optional.of(found.entries().get(page.judged()).at());
    Instant now = clock.instant();
    return unread
        .filter(now::isAfter) // another clock gave it
        .map(it -> Duration.between(it, now))
        .orElse(Duration.ZERO);
  }

  private static long begin(EventOrder order, Optional<FeedCursor> cursor) {
    return switch (order) {
      case ASC -> cursor.map(FeedCursor::position).orElse(0L) + 1;
      case DESC -> cursor.map(FeedCursor::position).orElse(Long.MAX_VALUE) - 1;
    };
  }

  private static boolean isOf(Segment last, FeedCursor cursor) {
    return cursor.feed().orElseThrow().equals(last.feed()) && cursor.position() <= last.last();
  }

  private boolean isPast(Optional<Instant> to) {
    return to.filter(it -> it.plus(GRACE).isBefore(clock.instant())).isPresent();
  }

  private static boolean passes(
      Segment.Placed placed,
      EventQuery query,
      Optional<BrandHash> brand,
      Optional<EventTypes> scope) {
    return switch (placed.entry()) {
      case FeedEntry.OfErasure _ -> query.hasErasures();
      case FeedEntry.OfEvent event ->
          query.types().filter(types -> !types.contains(event.type())).isEmpty()
              && scope.filter(types -> !types.contains(event.type())).isEmpty()
              && (brand.isEmpty() || brand.equals(event.brand()))
              && query.share().filter(share -> !share.has(number(placed, event))).isEmpty();
    };
  }

  /** Decides in which share an event is: all of a brand are in one. */
  private static long number(Segment.Placed placed, FeedEntry.OfEvent event) {
    return event.brand().map(it -> (long) it.value()).orElse(placed.position());
  }

  private static FeedCursor cursor(Optional<Segment> last, long position) {
    return last.map(it -> new FeedCursor(Optional.of(it.feed()), position))
        .orElse(FeedCursor.BEGINNING);
  }

  /** The last position that was shown or left out. */
  private static long judged(FeedReader.Found found, ShownEvents.Page page, EventOrder order) {
    if (page.judged() == found.entries().size()) {
      return found.judged();
    }
    long next = found.entries().get(page.judged()).position();
    return order == EventOrder.ASC ? next - 1 : next + 1;
  }

  private ShownEvents.Page show(FeedReader.Found found, EventQuery query) {
    return shown.page(
        found.entries().stream().map(placed -> wanted(placed, query)).toList(),
        query.hasPayloads());
  }

  private static ShownEvents.Wanted wanted(Segment.Placed placed, EventQuery query) {
    FeedEntry entry = placed.entry();
    return new ShownEvents.Wanted(
        entry.version().id(),
        item ->
            EventItem.itemVersion(item).equals(entry.version())
                // An event may be erased in the millisecond in which it was created.
                && Tombstone.isOne(item) == entry instanceof FeedEntry.OfErasure
                && query
                    .brand()
                    .filter(it -> !BrandIndex.brand(item).equals(Optional.of(it)))
                    .isEmpty(),
        OptionalLong.of(placed.position()));
  }
}
