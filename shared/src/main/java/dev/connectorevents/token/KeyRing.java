package dev.connectorevents.token;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The signing keys in memory, read again when they are old or when a token names one that is not
 * here; so a rotation is noticed at once, and forged names cannot hammer the store.
 *
 * <p>A rotation may fall into the pause after a forged name. Its key is known nevertheless: the
 * rotation leaves a new key pending for {@link #TIME_TO_LEARN} before anything is signed with it,
 * so that the read which began the pause has met it.
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

  /** The key to sign with, read now. */
  public synchronized SigningKey signingAfresh() {
    return readCurrent().current;
  }

  /** The key with that id, if it may still verify. */
  public synchronized Optional<SigningKey> verifying(String id) {
    Optional<SigningKey> known = find(id, fresh());
    return known.isPresent() ? known : unknown(id);
  }

  private Optional<SigningKey> unknown(String id) {
    keys.requireAnswers(); // else a key that may be ours would be said not to be
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
   * The pending key before the current one: a rotation ends in between, or it is met in either. A
   * weak one was put there by hand: the rotation has not tested it yet.
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

  /** Looks at the previous key only when the current one is not meant: that spares a read. */
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
