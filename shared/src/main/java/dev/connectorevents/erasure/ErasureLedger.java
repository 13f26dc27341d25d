package dev.connectorevents.erasure;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.event.Sha256;
import dev.connectorevents.feed.Whole;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The proofs of erasures, and the ids that they have erased, step by step. The ids of a step are
 * written before its events are erased: so an id that was erased is always in the ledger. It also
 * has the runs of restores and fills: a caller names a run and a step, and is believed about no
 * more.
 *
 * <p>Every method throws {@link DependencyUnavailableException} if the store does not answer.
 */
public interface ErasureLedger {

  /**
   * A step of an erasure. What one call has written of it, all others take.
   *
   * @param ids of events that are to be erased; once closed, those that have a tombstone
   * @param notJudged ids of events that the conditions could not judge
   * @param named ids that were asked for, and had a tombstone before
   * @param next where the next step's selection begins; empty after the last one
   * @param isStop whether an operator has ended the erasure here
   * @param closed empty until all ids are settled
   */
  record Step(
      Set<UUID> ids,
      Set<UUID> notJudged,
      Set<UUID> named,
      Optional<String> next,
      boolean isStop,
      Optional<Closed> closed) {

    /** Takes the place of a step that is not selected any more. */
    public static final Step STOP = new Step(Set.of(), Set.of(), Set.of(), Optional.empty(), true);

    public Step {
      ids = Set.copyOf(ids);
      notJudged = Set.copyOf(notJudged);
      named = Set.copyOf(named);
    }

    private Step(
        Set<UUID> ids,
        Set<UUID> notJudged,
        Set<UUID> named,
        Optional<String> next,
        boolean isStop) {
      this(ids, notJudged, named, next, isStop, Optional.empty());
    }

    /** A step that is selected, and not closed. */
    public Step(Set<UUID> ids, Set<UUID> notJudged, Set<UUID> named, Optional<String> next) {
      this(ids, notJudged, named, next, false);
    }

    public boolean isLast() {
      return next.isEmpty();
    }
  }

  /**
   * What the steps up to one have erased.
   *
   * @param count how many ids have a tombstone
   * @param chain SHA-256, in hexadecimal digits, of the chain of the step before, a line feed, and
   *     the step's ids that have a tombstone: sorted as text, each with a line feed. Before the
   *     first step, the chain is the empty text
   */
  record Closed(int count, String chain) {

    public static final Closed NOTHING = new Closed(0, "");

    public Closed plus(Collection<UUID> erased) {
      String lines = erased.stream().map(id -> id + "\n").sorted().collect(Collectors.joining());
      return new Closed(count + erased.size(), Sha256.hex(chain + "\n" + lines));
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

  /**
   * What the calls of a restore or of a fill have come to.
   *
   * @param kind of the work
   * @param request of what was asked for: only the same request goes on with it
   * @param step the number of the next one; from 1
   * @param place where it begins, in the words of the work; empty if the run has ended
   */
  record Run(
      UUID id, String kind, SaltedHash request, Instant begun, int step, Optional<String> place) {

    /** After its next step. */
    public Run after(Optional<String> next) {
      return new Run(id, kind, request, begun, step + 1, next);
    }
  }

  /** Writes an erasure that begins. */
  void begin(Erasure erasure);

  /**
   * Writes what an erasure rests on, unless it rests on something, or has ended.
   *
   * @return what is there now; empty if it had ended before
   */
  Optional<Whole> rest(UUID erasureId, Whole whole);

  /**
   * Adds ids to those that an erasure could not judge. Changes nothing if they are there already,
   * or if the erasure has ended.
   *
   * @return false if the erasure would have more than {@link Erasure#MAX_NOT_JUDGED} of them
   */
  boolean addNotJudged(UUID erasureId, Set<UUID> ids);

  /**
   * Writes the proof of an erasure, unless it has one.
   *
   * @param judged ids of those that could not be judged, which another step has judged after all
   */
  void end(UUID erasureId, Erasure.Proof proof, Set<UUID> judged);

  Optional<Erasure> find(UUID erasureId);

  Page list(Optional<String> after);

  /**
   * A step.
   *
   * @param number from 1
   */
  Optional<Step> step(UUID erasureId, int number);

  /**
   * Writes a step, unless it is there.
   *
   * @return what is there now
   */
  Step add(UUID erasureId, int number, Step step);

  /**
   * Closes a step, unless it is closed.
   *
   * @param erased those of its ids that have a tombstone
   * @return what it was closed with
   */
  Closed close(UUID erasureId, int number, Set<UUID> erased, Closed closed);

  /** Writes a run that begins. */
  void begin(Run run);

  Optional<Run> run(UUID id);

  /**
   * Writes where a step of a run has ended, unless the run is past it.
   *
   * @return what is there now
   */
  Run move(Run run, Optional<String> next);
}
