package dev.connectorevents.erasure;

import dev.connectorevents.event.EventTypes;
import dev.connectorevents.feed.FeedReader;
import java.time.Instant;
import java.util.Optional;

/**
 * Which events an operator wants to find or to erase.
 *
 * @param from only events that were created at this time or later
 * @param to only events that were created before this time
 * @param where conditions on the payload, of which one suffices; empty if the selector suffices
 * @param isScan whether to read the table itself for what a brand or a user selects
 */
public record EventSelection(
    ErasureSelector selector,
    Optional<Instant> from,
    Optional<Instant> to,
    PayloadConditions where,
    boolean isScan) {

  /** Whether anything narrows the selector: it alone would select more. */
  public boolean isNarrowed() {
    return switch (selector) {
      case ErasureSelector.All _ -> narrowingTo().isPresent();
      case ErasureSelector.Sender(_, Optional<EventTypes> types) ->
          types.isPresent() || !where.isEmpty();
      case ErasureSelector.Brand _, ErasureSelector.WithoutBrand _, ErasureSelector.Ids _ ->
          narrowingTo().isPresent() || !where.isEmpty();
    };
  }

  /** The {@code to}, unless it belongs to the selector. */
  public Optional<Instant> narrowingTo() {
    return to.filter(_ -> !(selector instanceof ErasureSelector.Sender));
  }

  /** Whether a search reads the feed for it, and nothing else. */
  public boolean readsFeed() {
    return !isScan
        && (selector instanceof ErasureSelector.Sender
            || selector instanceof ErasureSelector.WithoutBrand);
  }

  /** From when on the feed must have all that an erasure reads in it. */
  Instant neededSince(Instant begun) {
    return selector instanceof ErasureSelector.Sender
        ? from.orElseThrow().minus(FeedReader.CLOCKS)
        : begun.minus(ErasableEvents.INDEX_LAG).minus(FeedReader.CLOCKS);
  }

  /** Whether the selector and the times select an event; the conditions are not judged. */
  boolean selects(ErasableEvent event) {
    return selector.selects(event)
        && from.map(it -> !event.createdAt().isBefore(it)).orElse(true)
        && to.map(event.createdAt()::isBefore).orElse(true);
  }
}
