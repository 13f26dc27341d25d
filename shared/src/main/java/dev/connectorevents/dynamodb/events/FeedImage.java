package dev.connectorevents.dynamodb.events;

import static dev.connectorevents.dynamodb.events.EventAttributes.BRAND_KEY;
import static dev.connectorevents.dynamodb.events.EventAttributes.CREATED_AT;
import static dev.connectorevents.dynamodb.events.EventAttributes.ERASED_AT;
import static dev.connectorevents.dynamodb.events.EventAttributes.EVENT_TYPE;
import static dev.connectorevents.dynamodb.events.EventAttributes.RENUMBERED_AT;
import static dev.connectorevents.dynamodb.events.EventAttributes.USER_ID;

import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.feed.BrandHash;
import dev.connectorevents.feed.FeedEntry;
import java.util.Optional;
import java.util.Set;

/** What the feed keeps of an item of the events table. */
public final class FeedImage {

  /** The attributes from which an entry is made. */
  public static final Set<String> ATTRIBUTES =
      Set.of("id", EVENT_TYPE, USER_ID, CREATED_AT, BRAND_KEY, ERASED_AT, RENUMBERED_AT);

  private FeedImage() {}

  /**
   * The entry of an item; empty if it is neither an event nor a tombstone, such as a part of a
   * payload or the end of an item.
   *
   * @throws RuntimeException if the item lacks something: a defect of ours, or an item that
   *     somebody else has written
   */
  public static Optional<FeedEntry> entry(Item item) {
    if (!item.has(EVENT_TYPE) && !item.has(ERASED_AT)) {
      return Optional.empty();
    }
    return Optional.of(
        Tombstone.isOne(item)
            ? new FeedEntry.OfErasure(EventItem.itemVersion(item))
            : new FeedEntry.OfEvent(
                EventItem.itemVersion(item),
                EventItem.type(item),
                EventItem.userId(item),
                BrandIndex.brand(item).map(BrandHash::of)));
  }
}
