package dev.connectorevents.token;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The signing keys in memory, read again when they are old or when a token names one that is not
 * here; so a rotation is noticed at once, and forged names cannot hammer the store.
 */
public final class KeyRing {

  /** How long a key is trusted without being read again. */
  static final Duration MAX_AGE = Duration.ofMinutes(5);

  /** The least time between two reads for the sake of unknown names. */
  static final Duration UNKNOWN_KEY_PAUSE = Duration.ofSeconds(5);

  /** The keys as they were read, the previous one only when it was first asked for. */
  private static final class Read {
    final SigningKey current;
    final Instant at;
    @Nullable Previous previous;

    Read(Instant at, SigningKey current) {
      this.at = at;
      this.current = current;
    }
  }

  private record Previous(Optional<SigningKey> key) {}

  private final SigningKeys keys;
  private final Clock clock;
  private @Nullable Read read;
  private Instant unknownAllowedFrom = Instant.MIN;

  public KeyRing(SigningKeys keys, Clock clock) {
    this.keys = keys;
    this.clock = clock;
  }

  /** The key to sign with. */
  public synchronized SigningKey signing() {
    return fresh().current;
  }

  /** The key to sign with, as it is at this moment. */
  public synchronized SigningKey signingAfresh() {
    return readAgain().current;
  }

  /** The key of that name, if it may still verify. */
  public synchronized Optional<SigningKey> verifying(String id) {
    Read before = read;
    Read fresh = fresh();
    Optional<SigningKey> known = find(id, fresh);
    Instant now = clock.instant();
    if (known.isPresent() || fresh != before || now.isBefore(unknownAllowedFrom)) {
      return known;
    }
    unknownAllowedFrom = now.plus(UNKNOWN_KEY_PAUSE);
    return find(id, readAgain());
  }

  private Read fresh() {
    return read == null || !clock.instant().isBefore(read.at.plus(MAX_AGE)) ? readAgain() : read;
  }

  /** Forgets what was read before only once the store has answered. */
  private Read readAgain() {
    Read again = new Read(clock.instant(), keys.current());
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
    return read.previous.key().filter(key -> key.id().equals(id));
  }
}
