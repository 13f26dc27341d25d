package dev.connectorevents.functions.eraseevents;

import dev.connectorevents.event.ErasableEvents;
import dev.connectorevents.event.Erasure;
import dev.connectorevents.event.ErasureLedger;
import dev.connectorevents.event.ErasureLedger.Entry;
import dev.connectorevents.event.ErasureSelector;
import dev.connectorevents.event.Timestamp;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Gatherers;

/**
 * Adds the ids that one call selects to the ledger.
 *
 * <p>An id is in one page only, also if calls are repeated or run at the same time: whoever adds a
 * page has read all pages that others have added since its {@code next}, and leaves their ids out.
 * Of older pages, {@link ErasureProgress.Written#unsettled} has the ids that may be selected again.
 */
final class LedgerPages {

  /** The most ids to keep in memory without a look at their events. */
  private static final int MOST_UNSETTLED = 10_000;

  private final ErasableEvents events;
  private final ErasureLedger ledger;
  private final Erasure erasure;
  private final InstantSource clock;
  private final Instant end;
  private final Set<UUID> own = new HashSet<>();
  private final Set<UUID> unsettled;
  private int pages;

  /** What became of ids that were to be added. */
  enum Outcome {
    /** The ledger has them all. */
    ADDED,

    /** The time was over before all pages of other calls were read. */
    LATE,

    /** Another call has added the end: nothing may be erased any more. */
    ENDED
  }

  /**
   * @param end when the call must end
   */
  LedgerPages(
      ErasableEvents events,
      ErasureLedger ledger,
      Erasure erasure,
      ErasureProgress.Written written,
      InstantSource clock,
      Instant end) {
    this.events = events;
    this.ledger = ledger;
    this.erasure = erasure;
    this.clock = clock;
    this.end = end;
    this.unsettled = new HashSet<>(written.unsettled());
    this.pages = written.pages();
  }

  /** Adds those ids that the ledger does not have yet. */
  Outcome add(Set<UUID> ids) {
    Set<UUID> added = new HashSet<>(ids);
    added.removeAll(own);
    added.removeAll(unsettled);
    while (!added.isEmpty()) {
      Optional<Entry> other = ledger.add(erasure.id(), pages + 1, new Entry.Selected(added));
      if (other.filter(Entry.End.class::isInstance).isPresent()) {
        return Outcome.ENDED;
      }
      pages++;
      if (other.isEmpty()) {
        own.addAll(added);
        return Outcome.ADDED;
      }
      unsettled.addAll(other.get().ids());
      added.removeAll(other.get().ids());
      if (unsettled.size() > MOST_UNSETTLED) {
        settle();
      }
      if (!added.isEmpty() && !clock.instant().isBefore(end)) {
        return Outcome.LATE;
      }
    }
    return Outcome.ADDED;
  }

  /** What the next call needs to know. The events of this call's own pages must be erased. */
  ErasureProgress.Written written() {
    settle();
    return new ErasureProgress.Written(pages, unsettled);
  }

  /** Forgets the ids whose events are gone: no call selects them again. */
  private void settle() {
    Set<UUID> left =
        unsettled.stream()
            .gather(Gatherers.windowFixed(ErasureSelector.Ids.MAX_IDS))
            .map(ErasureSelector.Ids::new)
            .map(ids ->
                new ErasableEvents.Search(ids, Timestamp.EARLIEST, erasure.begun(), false, false))
            .map(search -> events.page(search, Optional.empty()))
            .flatMap(page -> page.entries().stream())
            .map(entry -> entry.event().id())
            .collect(Collectors.toSet());
    unsettled.retainAll(left);
  }
}
