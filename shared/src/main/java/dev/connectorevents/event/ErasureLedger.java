package dev.connectorevents.event;

import dev.connectorevents.DependencyUnavailableException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * The proofs of erasures. The ids of a page are written before its events are erased: so an id that
 * was erased is always in the ledger.
 *
 * <p>Every method throws {@link DependencyUnavailableException} if the store does not answer.
 */
public interface ErasureLedger {

  /** The most ids of a page. */
  int MAX_IDS = 1_000;

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

  /** Writes an erasure, or its end. */
  void put(Erasure erasure);

  Optional<Erasure> find(UUID erasureId);

  Page list(Optional<String> after);

  /**
   * Adds ids to those that an erasure could not judge. Changes nothing if they are there already,
   * or if the erasure has ended.
   *
   * @param ids at most {@link Erasure#MAX_NOT_JUDGED}
   * @return false if the erasure would have more than {@link Erasure#MAX_NOT_JUDGED} of them
   */
  boolean addNotJudged(UUID erasureId, Set<UUID> ids);

  /**
   * Adds a page of ids.
   *
   * @param page the number of the page, from 1
   * @return false if the erasure has a page of this number already
   */
  boolean add(UUID erasureId, int page, Set<UUID> ids);

  /** Replaces the ids of a page by those that have a tombstone. */
  void correct(UUID erasureId, int page, Set<UUID> ids);

  /** The ids of a page; empty if there is no page of this number. */
  Optional<Set<UUID>> ids(UUID erasureId, int page);
}
