package dev.connectorevents.event;

import dev.connectorevents.DependencyUnavailableException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * The store of events, for erasing them. An erased event leaves a tombstone, which refuses the
 * event's key from then on.
 *
 * <p>Every method throws {@link DependencyUnavailableException} if the store does not answer.
 */
public interface ErasableEvents {

  /**
   * Some events of a selection.
   *
   * @param absent how many ids of the selection have neither an event nor a tombstone
   * @param next where the next page begins; empty after the last one
   */
  record Page(List<Entry> entries, int absent, Optional<String> next) {
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
   * A page of the selected events that were created before a time. It may have none although more
   * pages follow.
   *
   * @param after the {@code next} of the page before, or of one of its entries; empty for the first
   *     page
   * @param hasPayloads whether {@link #payload} will be asked for them
   */
  Page page(ErasureSelector selector, Instant before, Optional<String> after, boolean hasPayloads);

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
   * of the tombstone is that of its write, as {@link Events#store} says.
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
