package dev.connectorevents.functions.eraseevents;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.SideBySide;
import dev.connectorevents.event.ErasableEvents;
import dev.connectorevents.event.Erasure;
import dev.connectorevents.event.ErasureLedger;
import dev.connectorevents.event.ErasureLedger.Digests;
import dev.connectorevents.event.ErasureLedger.Entry;
import dev.connectorevents.event.Sha256;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Gatherers;
import java.util.stream.IntStream;

/**
 * Checks the ledger of an erasure against the tombstones, and makes the proof.
 *
 * <p>Each page gets its digest when it is checked, and each block of pages the digests of its pages
 * so far. So any call can go on where another ended, and the last one reads the blocks only.
 */
final class LedgerCheck {

  /** Pages of a block. */
  static final int BLOCK = 1_000;

  /** The pages that are in memory at the same time. */
  private static final int PAGES_AT_ONCE = 20;

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

  /** How far a call has come. */
  sealed interface Outcome {

    /**
     * The time was over.
     *
     * @param blocks how many blocks are checked
     */
    record Late(int blocks) implements Outcome {}

    record Proved(Erasure erasure) implements Outcome {}
  }

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
   * Goes on until a time, or to the end of the ledger.
   *
   * @param blocks how many blocks are checked already
   */
  Outcome check(UUID erasureId, int blocks, Instant until) {
    int block = blocks + 1;
    Digests checked = ledger.digests(erasureId, block).orElse(Digests.NONE);
    while (clock.instant().isBefore(until)) {
      if (checked.pages() == BLOCK) {
        block++;
        checked = ledger.digests(erasureId, block).orElse(Digests.NONE);
      }
      int page = (block - 1) * BLOCK + checked.pages() + 1;
      List<Digests> more = digests(erasureId, page, block * BLOCK);
      if (more.isEmpty() && isEnd(erasureId, page)) {
        return prove(erasureId, block - 1, checked);
      }
      checked = checked.plus(more);
      if (checked.pages() == BLOCK) {
        ledger.putDigests(erasureId, block, checked);
      }
    }
    if (checked.pages() > 0 && checked.pages() < BLOCK) {
      ledger.putDigests(erasureId, block, checked);
    }
    return new Outcome.Late(block - 1);
  }

  /** Checks some pages side by side. Returns their digests, up to a page that is not there. */
  private List<Digests> digests(UUID erasureId, int first, int last) {
    return sideBySide
        .run(
            IntStream.rangeClosed(first, Math.min(first + PAGES_AT_ONCE - 1, last))
                .boxed()
                .toList(),
            page -> digest(erasureId, page))
        .stream()
        .takeWhile(Optional::isPresent)
        .flatMap(Optional::stream)
        .toList();
  }

  private Optional<Digests> digest(UUID erasureId, int page) {
    return ledger
        .entry(erasureId, page)
        .flatMap(entry ->
            switch (entry) {
              case Entry.End() -> Optional.empty();
              case Entry.Checked checked -> Optional.of(checked);
              case Entry.Selected(Set<UUID> ids) ->
                  Optional.of(ledger.check(erasureId, page, checked(ids)));
            })
        .map(Digests::of);
  }

  private Entry.Checked checked(Set<UUID> ids) {
    Set<UUID> tombstones =
        ids.stream()
            .gather(Gatherers.windowFixed(IDS_OF_A_READ))
            .flatMap(some -> events.erased(some).stream())
            .collect(Collectors.toSet());
    String lines = tombstones.stream().map(id -> id + "\n").sorted().collect(Collectors.joining());
    return new Entry.Checked(tombstones, Sha256.hex(lines));
  }

  /** Ends the ledger before a page, unless there is such a page by now. */
  private boolean isEnd(UUID erasureId, int page) {
    return ledger
        .add(erasureId, page, new Entry.End())
        .map(Entry.End.class::isInstance)
        .orElse(true);
  }

  /**
   * Makes the proof.
   *
   * @param blocks how many blocks are full
   * @param last the digests of the other pages
   */
  private Outcome prove(UUID erasureId, int blocks, Digests last) {
    MessageDigest all = Sha256.begin();
    int count = last.count();
    for (int block = 1; block <= blocks; block++) {
      Digests digests = ledger.digests(erasureId, block).orElse(Digests.NONE);
      if (digests.pages() < BLOCK) {
        return new Outcome.Late(block - 1); // an older call has overwritten this block
      }
      all.update(digests.lines().getBytes(UTF_8));
      count += digests.count();
    }
    String sha256 = HexFormat.of().formatHex(all.digest(last.lines().getBytes(UTF_8)));
    Instant ended = clock.instant();
    ledger.end(
        erasureId,
        new Erasure.Proof(ended, count, sha256, ended.plus(backups).plus(TIME_TO_LIVE_DELAY)));
    return new Outcome.Proved(ledger.find(erasureId).orElseThrow()); // with an earlier proof
  }
}
