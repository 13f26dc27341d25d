package dev.connectorevents.token;

import java.util.Optional;

/** The two keys that count, read from wherever they are kept. */
public interface SigningKeys {

  /** The key that signs, and verifies. */
  SigningKey current();

  /** The key that signed until the last rotation, and still verifies. */
  Optional<SigningKey> previous();
}
