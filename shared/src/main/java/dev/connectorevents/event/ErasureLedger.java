package dev.connectorevents.event;

import dev.connectorevents.DependencyUnavailableException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The proofs of erasures, and the ids that they have erased, in pages from number 1 without gaps.
 * The ids of a page are written before its events are erased: so an id that was erased is always in
 * the ledger.
 *
 * <p>Every method throws {@link DependencyUnavailableException} if the store does not answer.
 */
public interface ErasureLedger {

  /** What is written under the number of a page. It only ever changes from ids to checked ids. */
  sealed interface Entry {

    Set<UUID> ids();

    /** Ids of events that are to be erased. */
    record Selected(Set<UUID> ids) implements Entry {
      public Selected {
        ids = Set.copyOf(ids);
      }
    }

    /**
     * The ids of a page that have a tombstone.
     *
     * @param sha256 SHA-256 of the ids: sorted, as text, each with a line feed; in hexadecimal
     *     digits
     */
    record Checked(Set<UUID> ids, String sha256) implements Entry {
      public Checked {
        ids = Set.copyOf(ids);
      }
    }

    /** The end: no page of this number or a higher one will be added. */
    record End() implements Entry {
      @Override
      public Set<UUID> ids() {
        return Set.of();
      }
    }
  }

  /**
   * The digests of successive pages.
   *
   * @param count how many ids they have
   * @param lines the digests, in the order of the pages, each with a line feed
   */
  record Digests(int count, String lines) {

    public static final Digests NONE = new Digests(0, "");

    /** 64 digits and a line feed. */
    private static final int LINE_LENGTH = 65;

    public static Digests of(Entry.Checked page) {
      return new Digests(page.ids().size(), page.sha256() + "\n");
    }

    public int pages() {
      return lines.length() / LINE_LENGTH;
    }

    public Digests plus(List<Digests> more) {
      return new Digests(
          count + more.stream().mapToInt(Digests::count).sum(),
          lines + more.stream().map(Digests::lines).collect(Collectors.joining()));
    }
  }

  /**
   * A page of erasures, in no order.
   *
   * @param next where the next page begins; empty after the last one
   */
  record Page(List<Erasure> erasures, Optional<String> next) {
    public Page {
      erasures = List.copyOf(erasures);
    }
  }

  /** Writes an erasure that begins. */
  void begin(Erasure erasure);

  /**
   * Adds ids to those that an erasure could not judge. Changes nothing if they are there already,
   * or if the erasure has ended.
   *
   * @param ids at most {@link Erasure#MAX_NOT_JUDGED}
   * @return false if the erasure would have more than {@link Erasure#MAX_NOT_JUDGED} of them
   */
  boolean addNotJudged(UUID erasureId, Set<UUID> ids);

  /** Writes the proof of an erasure, unless it has one. */
  void end(UUID erasureId, Erasure.Proof proof);

  Optional<Erasure> find(UUID erasureId);

  Page list(Optional<String> after);

  /**
   * Adds a page of ids, or the end.
   *
   * @param page the number of the page
   * @return what was there already under this number; empty if the entry was added
   */
  Optional<Entry> add(UUID erasureId, int page, Entry entry);

  /**
   * Replaces the ids of a page by those that have a tombstone.
   *
   * @return what is there now: an earlier check stands
   */
  Entry.Checked check(UUID erasureId, int page, Entry.Checked checked);

  Optional<Entry> entry(UUID erasureId, int page);

  /**
   * Writes the digests of a block of pages, or of the first ones of them.
   *
   * @param block the number of the block, from 1
   */
  void putDigests(UUID erasureId, int block, Digests digests);

  Optional<Digests> digests(UUID erasureId, int block);
}
