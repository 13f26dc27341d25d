package dev.connectorevents.erasure;

import dev.connectorevents.feed.Awaited;
import dev.connectorevents.feed.Whole;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * An erasure, and the proof of it once it has ended.
 *
 * @param reason why, in the operator's words; empty if none was given
 * @param selectorKind {@link ErasureSelector#kind}
 * @param request of what was asked for: only the same request goes on with it
 * @param brand of the {@code brand_id}, with the same salt; empty unless a brand was selected
 * @param isNarrowed whether conditions, event types or {@code to} narrowed the selector
 * @param to what was created at this time or later is left; empty if it does not narrow
 * @param isScan whether the table itself is read for what a brand or a user selects
 * @param begun what was acknowledged before is erased
 * @param awaited the beat that it waits for; empty if it does not read the feed
 * @param whole what the feed held when it was read first; empty before
 * @param notJudged the ids of the events that could not be judged by the conditions: they may be
 *     selected, and are not erased. Sorted as text
 * @param proof empty until the erasure has ended
 */
public record Erasure(
    UUID id,
    Optional<String> reason,
    String selectorKind,
    SaltedHash request,
    Optional<SaltedHash> brand,
    boolean isNarrowed,
    Optional<Instant> to,
    boolean isScan,
    Instant begun,
    Optional<Awaited> awaited,
    Optional<Whole> whole,
    List<UUID> notJudged,
    Optional<Proof> proof) {

  /** The most events of one erasure that may not be judged. */
  public static final int MAX_NOT_JUDGED = 1_000;

  public Erasure {
    notJudged = List.copyOf(notJudged);
  }

  /** Whether all is erased that was selected. */
  public boolean isComplete() {
    return notJudged.isEmpty() && proof.filter(it -> !it.isStopped()).isPresent();
  }

  /**
   * What was erased.
   *
   * @param ended when the last step was closed
   * @param erased what all steps have erased
   * @param backupsUntil the time after which no point-in-time recovery holds the events
   * @param isStopped whether an operator has ended it early: selected events may be left
   */
  public record Proof(
      Instant ended, ErasureLedger.Closed erased, Instant backupsUntil, boolean isStopped) {}
}
