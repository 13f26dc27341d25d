package dev.connectorevents.token;

import dev.connectorevents.BoundedMap;
import dev.connectorevents.Remembered;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Remembers tokens that were found valid, by their own text, so that a connector's next request
 * costs no signature. It says nothing of the user's state, which is judged for each request.
 *
 * <p>Only a token of ours gets in, so nobody can fill it with forged ones. What it does not answer
 * is checked in full: a token near its expiry, one whose key no longer verifies, and every token
 * after the clock was set back.
 */
final class RememberedTokens {

  /** A token takes about a kilobyte. */
  static final int CAPACITY = 1_000;

  private record Verified(Claims claims, SigningKey key) {}

  private final KeyRing keys;
  private final Clock clock;
  private final Map<String, Remembered<Verified>> remembered = new BoundedMap<>(CAPACITY);

  RememberedTokens(KeyRing keys, Clock clock) {
    this.keys = keys;
    this.clock = clock;
  }

  /** The claims of a token that was added and is still valid. */
  synchronized Optional<Claims> find(String token) {
    Remembered<Verified> known = remembered.get(token);
    if (known == null) {
      return Optional.empty();
    }
    if (!isValid(known)) {
      remembered.remove(token);
      return Optional.empty();
    }
    return Optional.of(known.value().claims());
  }

  private boolean isValid(Remembered<Verified> known) {
    Claims claims = known.value().claims();
    SigningKey key = known.value().key();
    return known.isValidUntil(claims.expiresAt(), clock.instant())
        && keys.verifying(key.id()).equals(Optional.of(key));
  }

  /**
   * Adds a token that was found valid.
   *
   * @param checkedAt a time before that
   */
  synchronized void add(String token, Claims claims, Instant checkedAt) {
    keys.verifying(claims.keyId())
        .map(key -> new Verified(claims, key))
        .ifPresent(it -> remembered.put(token, new Remembered<>(it, checkedAt)));
  }
}
