package dev.connectorevents.token;

import dev.connectorevents.DependencyUnavailableException;
import java.util.Optional;

/**
 * The keys that sign and verify tokens, read from wherever they are kept. Every method throws
 * {@link DependencyUnavailableException} if the store does not answer, or holds no key where one
 * has to be.
 */
public interface SigningKeys {

  /** The key that signs, and verifies. */
  SigningKey current();

  /** The key that signed until the last rotation, and still verifies. */
  Optional<SigningKey> previous();

  /** The key that a rotation under way will sign with next; it already verifies. */
  Optional<SigningKey> pending();
}
