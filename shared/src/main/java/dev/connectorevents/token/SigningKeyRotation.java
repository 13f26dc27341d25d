package dev.connectorevents.token;

import dev.connectorevents.DependencyUnavailableException;
import java.util.Optional;

/**
 * Reads and changes the signing key's versions during a rotation. A version is a VersionId of the
 * secret.
 *
 * <p>Every method throws {@link DependencyUnavailableException} if the store does not answer or
 * refuses the call. The caller may then call the method again.
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
   * @param version the pending version
   * @return empty if the version has no key yet, or is not pending
   */
  Optional<SigningKey> pending(String version);

  /**
   * Stores the key of the pending version. After that, the version's key never changes.
   *
   * @param version the pending version
   * @param keyText the key as {@link KeyText} makes it
   */
  void store(String version, String keyText);

  /**
   * Makes the pending version the current one, in one step. The previous version's key still
   * verifies tokens.
   *
   * @param version the pending version
   * @param before the version that is current until then
   */
  void makeCurrent(String version, String before);
}
