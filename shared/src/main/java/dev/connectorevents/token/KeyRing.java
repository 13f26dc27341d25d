package dev.connectorevents.token;

import dev.connectorevents.DependencyUnavailableException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Caches the signing keys. It reads them again when they are old, and when a token names an unknown
 * key: so it notices a rotation at once. A pause between such reads protects the store from forged
 * key ids.
 *
 * <p>A rotation may finish during the pause. Its key is known nevertheless: it was pending for
 * {@link #TIME_TO_LEARN} before it signed, so the read before the pause has found it.
 *
 * <p>Every method throws {@link DependencyUnavailableException} if it has to read the keys and the
 * store does not answer.
 */
public final class KeyRing {

  /** How long a key is cached. */
  public static final Duration MAX_AGE = Duration.ofMinutes(5);

  /** The shortest time between two reads for unknown key ids, and after a failed read. */
  static final Duration UNKNOWN_KEY_PAUSE = Duration.ofSeconds(5);

  /** After this wait every instance can verify a pending key. */
  public static final Duration TIME_TO_LEARN = UNKNOWN_KEY_PAUSE.plusSeconds(1);

  /** The cached keys. The previous key is read when first needed. */
  private static final class Read {
    final SigningKey current;
    final Optional<SigningKey> pending;
    final Instant at;
    @Nullable Previous previous;

    Read(Instant at, SigningKey current, Optional<SigningKey> pending) {
      this.at = at;
      this.current = current;
      this.pending = pending;
    }
  }

  private record Previous(Optional<SigningKey> key) {}

  private final PausingKeys keys;
  private final Clock clock;
  private @Nullable Read read;
  private Instant unknownAllowedFrom = Instant.MIN;

  public KeyRing(SigningKeys keys, Clock clock) {
    this.keys = new PausingKeys(keys, UNKNOWN_KEY_PAUSE, clock);
    this.clock = clock;
  }

  /** The key to sign with. */
  public synchronized SigningKey signing() {
    return fresh().current;
  }

  /** The key to sign with, read from the store now. */
  public synchronized SigningKey signingAfresh() {
    return readCurrent().current;
  }

  /** The key with that id, if it may still verify. */
  public synchronized Optional<SigningKey> verifying(String id) {
    Optional<SigningKey> known = find(id, fresh());
    return known.isPresent() ? known : unknown(id);
  }

  private Optional<SigningKey> unknown(String id) {
    keys.requireAnswers(); // while the store fails, an unknown key may be ours
    Instant now = clock.instant();
    if (now.isBefore(unknownAllowedFrom)) {
      return Optional.empty();
    }
    unknownAllowedFrom = now.plus(UNKNOWN_KEY_PAUSE);
    return find(id, readAll());
  }

  private Read fresh() {
    return read == null || !clock.instant().isBefore(read.at.plus(MAX_AGE)) ? readCurrent() : read;
  }

  private Read readCurrent() {
    return keep(new Read(clock.instant(), keys.current(), Optional.empty()));
  }

  /**
   * Reads the pending key before the current one: so it also finds the new key if a rotation
   * finishes in between. It ignores a weak pending key, which the rotation has not tested.
   */
  private Read readAll() {
    Optional<SigningKey> pending = keys.pending().filter(KeyText::isStrong);
    return keep(new Read(clock.instant(), keys.current(), pending));
  }

  /** Replaces the cache after a successful read. */
  private Read keep(Read again) {
    read = again;
    return again;
  }

  /** Reads the previous key only if the id is not the current one: that saves a read. */
  private Optional<SigningKey> find(String id, Read read) {
    if (read.current.id().equals(id)) {
      return Optional.of(read.current);
    }
    if (read.previous == null) {
      read.previous = new Previous(keys.previous());
    }
    return Stream.of(read.previous.key(), read.pending)
        .flatMap(Optional::stream)
        .filter(key -> key.id().equals(id))
        .findFirst();
  }
}
