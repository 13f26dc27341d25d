package dev.connectorevents.event;

import dev.connectorevents.DependencyUnavailableException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.DoubleConsumer;

/**
 * The store of events, for erasing them. An erased event leaves a tombstone, which refuses the
 * event's key from then on.
 *
 * <p>Every method throws {@link DependencyUnavailableException} if the store does not answer.
 */
public interface ErasableEvents {

  /**
   * What to look for.
   *
   * @param from only events that were created at this time or later; in whole milliseconds, as
   *     events are created
   * @param before only events that were created before this time
   * @param hasPayloads whether {@link #payload} will be asked for them
   * @param isDryRun whether to read a brand's index only, as it is. Otherwise what the index may
   *     lack follows, from the feed: what got a position since {@link #INDEX_LAG} before {@code
   *     before}
   */
  record Search(
      ErasureSelector selector,
      Instant from,
      Instant before,
      boolean hasPayloads,
      boolean isDryRun) {

    public Search {
      from = Timestamp.roundedUp(from);
      before = Timestamp.roundedUp(before);
    }
  }

  /** How long an event may take, at the most, from the table to the index of brands. */
  Duration INDEX_LAG = Duration.ofHours(1);

  /**
   * Some events of a selection.
   *
   * @param next where the next page begins; empty if nothing will follow
   * @param isLast whether nothing follows for now. If the feed was read, it may grow
   */
  record Page(List<Entry> entries, Optional<String> next, boolean isLast) {

    public Page {
      entries = List.copyOf(entries);
    }
  }

  /**
   * An event of a page.
   *
   * @param next where a page begins that has what follows this event
   */
  record Entry(ErasableEvent event, String next) {}

  /**
   * The same events. What reading them costs, in read units, is told as DynamoDB counts it; of the
   * feed nothing.
   */
  ErasableEvents metered(DoubleConsumer readUnits);

  /**
   * A page of the selected events. It may have none although more pages follow, and an event that
   * an earlier page had.
   *
   * @param after the {@code next} of the page before, or of one of its entries; empty for the first
   *     page
   */
  Page page(Search search, Optional<String> after);

  /** The event that has this id by now; empty if there is none, or a tombstone. */
  Optional<ErasableEvent> read(UUID id);

  /**
   * The payload of an event that was read with it; empty if the event was replaced or erased
   * meanwhile. One payload at a time is in memory.
   *
   * @throws IOException also while the stream is read: if the payload is damaged, or if it consists
   *     of parts of several events, since the event was replaced meanwhile
   */
  Optional<InputStream> payload(ErasableEvent event) throws IOException;

  /**
   * Erases an event and all of its parts, at once, unless it is no longer what was read. The time
   * of the tombstone is that of its write.
   */
  EraseOutcome erase(ErasableEvent event, UUID erasureId);

  /** What became of an event that was to be erased. */
  enum EraseOutcome {
    /** Its tombstone is there. */
    ERASED,

    /** Its retention had passed: it was deleted, and leaves no tombstone. */
    EXPIRED,

    /** It was replaced or erased since it was read. */
    CHANGED
  }

  /**
   * Those of the ids that have a tombstone.
   *
   * @param ids at most 100
   */
  Set<UUID> erased(Collection<UUID> ids);
}
