package dev.connectorevents.token;

import dev.connectorevents.DependencyUnavailableException;
import java.util.Optional;

/**
 * The signing key's versions, as a rotation reads and changes them. Every method throws {@link
 * DependencyUnavailableException} if the store does not answer; each may be called again then.
 *
 * @see <a
 *     href="https://docs.aws.amazon.com/secretsmanager/latest/userguide/rotate-secrets_lambda-functions.html">
 *     Rotation by Lambda function</a>
 */
public interface SigningKeyRotation {

  /** Which versions are current and pending now. */
  RotationState state();

  /**
   * The key of a version.
   *
   * @param version has to be the pending one
   * @return empty while the version has no key yet
   */
  Optional<SigningKey> pending(String version);

  /**
   * Gives the pending version its key.
   *
   * @param keyText as {@link KeyText} makes it
   */
  void store(String version, String keyText);

  /**
   * Makes a version the one that signs, in one step; the one before it still verifies.
   *
   * @param before the version that signs until then
   */
  void makeCurrent(String version, String before);
}
