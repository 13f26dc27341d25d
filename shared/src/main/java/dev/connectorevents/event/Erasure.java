package dev.connectorevents.event;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * An erasure, and the proof of it once it has ended.
 *
 * @param reason why, in the operator's words; empty if none was given
 * @param selector the kind of selection
 * @param brand empty unless a brand was selected
 * @param begun only events that were created before were erased
 * @param lagAssumed how long an event may take from its creation until the selection finds it
 */
public record Erasure(
    UUID id,
    Optional<String> reason,
    String selector,
    Optional<SaltedBrand> brand,
    Instant begun,
    Duration lagAssumed,
    Optional<Proof> proof) {

  /**
   * Tells whether a given brand was erased, but not which one was.
   *
   * @param salt random
   * @param sha256 of the text {@code salt} and the brand's name, in UTF-8; in hexadecimal digits
   */
  public record SaltedBrand(String salt, String sha256) {}

  /**
   * What was erased.
   *
   * @param ended when the last id was checked
   * @param count the ids that have a tombstone
   * @param idsSha256 SHA-256 of these ids: sorted, as text, each with a line feed; in hexadecimal
   *     digits
   * @param backupsUntil the date after which no backup of ours has the data
   */
  public record Proof(Instant ended, int count, String idsSha256, Instant backupsUntil) {}

  /** The erasure after its end. */
  public Erasure ended(Proof result) {
    return new Erasure(id, reason, selector, brand, begun, lagAssumed, Optional.of(result));
  }
}
