package dev.connectorevents.feed;

import dev.connectorevents.event.EventQuery;
import dev.connectorevents.event.EventTypes;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Which entries of the feed a query has, by what they say. Two brands may share their bits: the
 * stored event tells.
 *
 * @param scope the event types that the reader may see; empty: all
 */
record FeedFilter(EventQuery query, Optional<EventTypes> scope, Optional<BrandHash> brand)
    implements Predicate<Segment.Placed> {

  FeedFilter(EventQuery query, Optional<EventTypes> scope) {
    this(query, scope, query.brand().map(BrandHash::of));
  }

  @Override
  public boolean test(Segment.Placed placed) {
    return switch (placed.entry()) {
      case FeedEntry.OfErasure _ -> query.hasErasures();
      case FeedEntry.OfEvent event ->
          query.types().map(types -> types.contains(event.type())).orElse(true)
              && scope.map(types -> types.contains(event.type())).orElse(true)
              && (brand.isEmpty() || brand.equals(event.brand()))
              && query.share().map(share -> share.has(number(event))).orElse(true);
    };
  }

  /**
   * Decides in which share an event is: all of a brand are in one. Without a brand, an event stays
   * in its share also when it gets a new position.
   */
  private static int number(FeedEntry.OfEvent event) {
    return event.brand().orElseGet(() -> BrandHash.of(event.version().id().toString())).value();
  }
}
