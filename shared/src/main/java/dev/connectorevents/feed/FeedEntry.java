package dev.connectorevents.feed;

import dev.connectorevents.event.EventType;
import java.util.Optional;
import java.util.UUID;

/** What the feed knows of one position, without a look at the events. */
public sealed interface FeedEntry {

  /** The item that this position was given to. A reader shows it only while it is stored. */
  ItemVersion version();

  /**
   * An event was stored.
   *
   * @param userId the user whose connector sent it
   * @param brand empty if the index does not list the event under a brand
   */
  record OfEvent(ItemVersion version, EventType type, UUID userId, Optional<BrandHash> brand)
      implements FeedEntry {}

  /** An event was erased. */
  record OfErasure(ItemVersion version) implements FeedEntry {}
}
