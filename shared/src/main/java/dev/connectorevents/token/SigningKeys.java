package dev.connectorevents.token;

import java.util.Optional;

/** The keys that count, read from wherever they are kept. */
public interface SigningKeys {

  /** The key that signs, and verifies. */
  SigningKey current();

  /** The key that signed until the last rotation, and still verifies. */
  Optional<SigningKey> previous();

  /** The key that a rotation under way is about to sign with; it verifies as soon as it is met. */
  Optional<SigningKey> pending();
}
