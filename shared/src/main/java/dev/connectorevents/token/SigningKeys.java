package dev.connectorevents.token;

import dev.connectorevents.DependencyUnavailableException;
import java.util.Optional;

/**
 * The store of the keys that sign and verify tokens. Every call reads the store.
 *
 * <p>Every method throws {@link DependencyUnavailableException} if the store does not answer, or if
 * a version holds no key.
 */
public interface SigningKeys {

  /**
   * The key that signs, and verifies.
   *
   * @throws DependencyUnavailableException also if no key is current
   */
  SigningKey current();

  /**
   * The key that signed before the last rotation, and still verifies; empty before the first one.
   */
  Optional<SigningKey> previous();

  /**
   * The key that will sign after the rotation under way, and already verifies. Between rotations it
   * is the current key, or empty.
   */
  Optional<SigningKey> pending();
}
