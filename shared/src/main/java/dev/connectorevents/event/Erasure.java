package dev.connectorevents.event;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * An erasure, and the proof of it once it has ended.
 *
 * @param reason why, in the operator's words; empty if none was given
 * @param selectorKind {@link ErasureSelector#kind}
 * @param brand empty unless a brand was selected
 * @param isNarrowed whether conditions, event types or {@code to} narrowed the selector
 * @param to what was created at this time or later is left; empty if it does not narrow
 * @param isScan whether the table itself is read for what a brand or a user selects
 * @param begun what was acknowledged before is erased
 * @param marks empty if nothing waits for the feed
 * @param notJudged the ids of the events that could not be judged by the conditions: they may be
 *     selected, and are not erased. Sorted as text
 * @param proof empty until the erasure has ended
 */
public record Erasure(
    UUID id,
    Optional<String> reason,
    String selectorKind,
    Optional<SaltedBrand> brand,
    boolean isNarrowed,
    Optional<Instant> to,
    boolean isScan,
    Instant begun,
    Optional<Marks> marks,
    List<UUID> notJudged,
    Optional<Proof> proof) {

  /** The most events of one erasure that may not be judged. */
  public static final int MAX_NOT_JUDGED = 1_000;

  public Erasure {
    notJudged = List.copyOf(notJudged);
  }

  /**
   * A salted hash: whoever knows a brand can check whether it was erased. The brand itself is not
   * stored.
   *
   * @param salt random
   * @param sha256 SHA-256 of {@code salt} followed by the {@code brand_id}, in UTF-8; in
   *     hexadecimal digits
   */
  public record SaltedBrand(String salt, String sha256) {

    public static SaltedBrand of(String brand, String salt) {
      return new SaltedBrand(salt, Sha256.hex(salt + brand));
    }

    public boolean isOf(String brand) {
      return equals(of(brand, salt));
    }
  }

  /**
   * What was erased.
   *
   * @param ended when the last step was closed
   * @param erased what all steps have erased
   * @param backupsUntil the time after which no point-in-time recovery holds the events
   */
  public record Proof(Instant ended, ErasureLedger.Closed erased, Instant backupsUntil) {}
}
