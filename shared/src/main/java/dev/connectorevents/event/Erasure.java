package dev.connectorevents.event;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * An erasure, and the proof of it once it has ended.
 *
 * @param reason why, in the operator's words; empty if none was given
 * @param selectorKind {@link ErasureSelector#kind}
 * @param brand empty unless a brand was selected
 * @param begun only events that were created before were erased
 * @param lagAssumed how long an event may take from its creation until the selection finds it
 * @param proof empty until the erasure has ended
 */
public record Erasure(
    UUID id,
    Optional<String> reason,
    String selectorKind,
    Optional<SaltedBrand> brand,
    Instant begun,
    Duration lagAssumed,
    Optional<Proof> proof) {

  /**
   * A salted hash: whoever knows a brand can check whether it was erased. The brand itself is not
   * stored.
   *
   * @param salt random
   * @param sha256 SHA-256 of {@code salt} followed by the {@code brand_id}, in UTF-8; in
   *     hexadecimal digits
   */
  public record SaltedBrand(String salt, String sha256) {}

  /**
   * What was erased.
   *
   * @param ended when the last id was checked
   * @param count how many ids have a tombstone
   * @param idsSha256 SHA-256 of the ids that have a tombstone: sorted, as text, each with a line
   *     feed; in hexadecimal digits
   * @param backupsUntil the time after which no point-in-time recovery holds the events
   */
  public record Proof(Instant ended, int count, String idsSha256, Instant backupsUntil) {}

  /** The erasure after its end. */
  public Erasure ended(Proof result) {
    return new Erasure(id, reason, selectorKind, brand, begun, lagAssumed, Optional.of(result));
  }
}
