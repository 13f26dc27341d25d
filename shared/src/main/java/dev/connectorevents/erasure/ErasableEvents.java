package dev.connectorevents.erasure;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.event.Timestamp;
import dev.connectorevents.feed.Whole;
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
 * The store of events, for finding and erasing them. An erased event leaves a tombstone, which
 * refuses the event's key from then on.
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
   * @param source where to look for what a brand or a user selects
   */
  record Search(
      ErasureSelector selector, Instant from, Instant before, boolean hasPayloads, Source source) {

    public Search {
      from = Timestamp.roundedUp(from);
      before = Timestamp.roundedUp(before);
    }
  }

  /** Where to look. Ids, and all events, are read in the table itself, consistently. */
  sealed interface Source {

    /** A brand's index, or the feed, as it is. */
    record AsItIs() implements Source {}

    /** The table itself, consistently. */
    record Table() implements Source {}

    /**
     * A brand's index; then the feed, for what the index may lack: from {@link #INDEX_LAG} before
     * the search's end. Of a user, the feed from the search's beginning.
     *
     * @param whole what the feed holds, and up to where to read it; empty if it is not known yet
     */
    record UpTo(Optional<Whole> whole) implements Source {}
  }

  /** How long an event may take, at the most, from the table to the index of brands. */
  Duration INDEX_LAG = Duration.ofHours(1);

  /**
   * Some events, among which are all that the selector selects.
   *
   * @param next where the next page begins; empty after the last one
   * @param needsWhole whether nothing was read, since the feed comes next and its head is not known
   */
  record Page(List<Entry> entries, Optional<String> next, boolean needsWhole) {

    public Page {
      entries = List.copyOf(entries);
    }

    public Page(List<Entry> entries, Optional<String> next) {
      this(entries, next, false);
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
   * A page of events. It may have none although more pages follow, and an event that an earlier
   * page had.
   *
   * @param after the {@code next} of the page before, or of one of its entries; empty for the first
   *     page
   * @throws OtherFeedException if the feed is not the one that the source names
   * @throws UnknownPlaceException if {@code after} is none of those, which a caller has made up
   */
  Page page(Search search, Optional<String> after);

  /** The feed was made anew since. */
  final class OtherFeedException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** No page of a search begins there. */
  final class UnknownPlaceException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    public UnknownPlaceException(RuntimeException cause) {
      super(cause);
    }
  }

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

  /** What is stored under an id: an event, even an expired one, or a tombstone. */
  sealed interface Stored {

    /**
     * From when on it is gone; empty if it is kept for ever. DynamoDB deletes it some days later.
     */
    Optional<Instant> expiresAt();

    /**
     * An event.
     *
     * @param items how many items it takes
     */
    record OfEvent(ErasableEvent event, int items, Optional<Instant> expiresAt) implements Stored {}

    record OfTombstone(Instant erasedAt, UUID erasureId, Optional<Instant> expiresAt)
        implements Stored {}
  }

  /** What is stored under an id; empty if nothing is. */
  Optional<Stored> stored(UUID id);

  /** Those of the ids that have a tombstone. */
  Set<UUID> erased(Collection<UUID> ids);
}
