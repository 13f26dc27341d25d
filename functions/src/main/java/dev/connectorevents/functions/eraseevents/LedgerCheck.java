package dev.connectorevents.functions.eraseevents;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.SideBySide;
import dev.connectorevents.event.ErasableEvents;
import dev.connectorevents.event.Erasure;
import dev.connectorevents.event.ErasureLedger;
import dev.connectorevents.event.Sha256;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Checks the ledger of an erasure against the tombstones, and writes the proof. */
final class LedgerCheck {

  /** The most ids of one read. */
  private static final int IDS_OF_A_READ = 100;

  /**
   * How long an expired item may stay until DynamoDB deletes it. Until then, a backup can hold the
   * parts of an event that has expired or was replaced. AWS says "within a few days"; see <a
   * href="https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TTL.html">Using time to
   * live</a>.
   */
  private static final Duration TIME_TO_LIVE_DELAY = Duration.ofDays(7);

  private final ErasableEvents events;
  private final ErasureLedger ledger;
  private final SideBySide sideBySide;
  private final Clock clock;
  private final Duration backups;

  /**
   * @param backups how long a backup of the table is kept
   */
  LedgerCheck(
      ErasableEvents events,
      ErasureLedger ledger,
      SideBySide sideBySide,
      Clock clock,
      Duration backups) {
    this.events = events;
    this.ledger = ledger;
    this.sideBySide = sideBySide;
    this.clock = clock;
    this.backups = backups;
  }

  /**
   * Keeps those ids of a page that have a tombstone.
   *
   * @return false if there is no page of this number
   */
  boolean correct(UUID erasureId, int page) {
    Optional<Set<UUID>> ids = ledger.ids(erasureId, page);
    if (ids.isEmpty()) {
      return false;
    }
    Set<UUID> tombstones = tombstones(List.copyOf(ids.get()));
    if (!tombstones.equals(ids.get())) {
      ledger.correct(erasureId, page, tombstones);
    }
    return true;
  }

  private Set<UUID> tombstones(List<UUID> ids) {
    Set<UUID> found = new HashSet<>();
    for (int i = 0; i < ids.size(); i += IDS_OF_A_READ) {
      found.addAll(events.erased(ids.subList(i, Math.min(i + IDS_OF_A_READ, ids.size()))));
    }
    return found;
  }

  /** Writes the proof of an erasure whose pages are correct. */
  Erasure prove(UUID erasureId, int pages) {
    List<String> ids = ids(erasureId, pages);
    String lines = ids.stream().map(id -> id + "\n").collect(Collectors.joining());
    Instant ended = clock.instant();
    Instant backupsUntil = ended.plus(backups).plus(TIME_TO_LIVE_DELAY);
    Erasure erasure =
        ledger
            .find(erasureId)
            .orElseThrow(() -> new DependencyUnavailableException("the erasure is unknown"))
            .ended(new Erasure.Proof(ended, ids.size(), Sha256.hex(lines), backupsUntil));
    ledger.put(erasure);
    return erasure;
  }

  /** The ids of all pages, sorted. A call that was repeated may have written an id again. */
  private List<String> ids(UUID erasureId, int pages) {
    List<Supplier<Set<UUID>>> reads =
        IntStream.rangeClosed(1, pages)
            .<Supplier<Set<UUID>>>mapToObj(page -> () -> ledger.ids(erasureId, page).orElseThrow())
            .toList();
    return sideBySide.run(reads).stream()
        .flatMap(Set::stream)
        .map(UUID::toString)
        .sorted()
        .distinct()
        .toList();
  }
}
