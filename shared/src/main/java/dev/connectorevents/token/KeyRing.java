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

  private record Read(Instant at, SigningKey key) {}

  private record Previous(Optional<SigningKey> key) {}

  private final SigningKeys keys;
  private final Clock clock;
  private @Nullable Read current;
  private @Nullable Previous previous;
  private Instant unknownAllowedFrom = Instant.MIN;

  public KeyRing(SigningKeys keys, Clock clock) {
    this.keys = keys;
    this.clock = clock;
  }

  /** The key to sign with. */
  public synchronized SigningKey signing() {
    if (current == null || isOld(current)) {
      current = new Read(clock.instant(), keys.current());
      previous = null; // as read before, it may be the one before the previous by now
    }
    return current.key();
  }

  /** The key of that name, if it may still verify. */
  public synchronized Optional<SigningKey> verifying(String id) {
    Optional<SigningKey> known = find(id);
    Instant now = clock.instant();
    if (known.isPresent() || now.isBefore(unknownAllowedFrom)) {
      return known;
    }
    unknownAllowedFrom = now.plus(UNKNOWN_KEY_PAUSE);
    current = null;
    return find(id);
  }

  /** Looks at the previous key only when the current one is not meant: that spares a read. */
  private Optional<SigningKey> find(String id) {
    SigningKey signing = signing();
    if (signing.id().equals(id)) {
      return Optional.of(signing);
    }
    if (previous == null) {
      previous = new Previous(keys.previous());
    }
    return previous.key().filter(key -> key.id().equals(id));
  }

  private boolean isOld(Read read) {
    return !clock.instant().isBefore(read.at().plus(MAX_AGE));
  }
}
