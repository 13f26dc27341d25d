package dev.connectorevents.token;

import java.util.Optional;

/** The signing key's versions, as a rotation needs to see and change them. */
public interface SigningKeyRotation {

  RotationState state();

  /** The key of that version, which has to be the pending one; empty while it has none yet. */
  Optional<SigningKey> pending(String version);

  /** Gives the pending version its key. */
  void store(String version, String keyText);

  /**
   * Makes a version the one that signs, in one step; the one before it still verifies.
   *
   * @param before the version that signs until then
   */
  void makeCurrent(String version, String before);
}
