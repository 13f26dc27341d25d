package dev.connectorevents.event;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.Unicode;
import java.time.Instant;
import java.util.Optional;

/**
 * Which events a list has, in which order, and what it shows of them.
 *
 * @param types the event types; empty: all
 * @param brand the {@code brand_id} in {@code _meta}; empty: events of any brand, or of none
 * @param share which of the events of the feed, oldest first; empty: all. The list has erasures of
 *     all parts
 * @param from the earliest time, included, in whole milliseconds: of the position, or of the
 *     creation in a brand's list
 * @param to the latest time, excluded; not in the feed, oldest first
 * @param hasPayloads whether the list shows payloads
 * @param hasErasures whether the list shows erasures, of whatever event types
 */
public record EventQuery(
    Optional<EventTypes> types,
    Optional<String> brand,
    Optional<Share> share,
    EventOrder order,
    Optional<Instant> from,
    Optional<Instant> to,
    boolean hasPayloads,
    boolean hasErasures) {

  /** The most bytes of a brand: a longer one and its lane do not fit into the index's key. */
  public static final int MAX_BRAND_BYTES = 2_046;

  /** A brand that one may ask for; empty if no event can be listed under it. */
  public static Optional<String> brand(String text) {
    return Optional.of(text)
        .filter(it -> !it.isEmpty() && Unicode.isWellFormed(it))
        .filter(it -> it.getBytes(UTF_8).length <= MAX_BRAND_BYTES);
  }

  /** Whether the index of brands has this list, and not the feed. */
  public boolean isOfBrandIndex() {
    return brand.isPresent() && order == EventOrder.DESC;
  }

  public EventQuery {
    from = from.map(Timestamp::roundedUp);
    to = to.map(Timestamp::roundedUp);
    if (hasErasures && brand.isPresent()) {
      throw new IllegalArgumentException("an erased event has no brand");
    }
    if (to.isPresent() && order == EventOrder.ASC) {
      throw new IllegalArgumentException("the feed ends at a position");
    }
    if (share.isPresent() && order == EventOrder.DESC) {
      throw new IllegalArgumentException("only the feed is read in parts");
    }
  }
}
