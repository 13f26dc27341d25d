package dev.connectorevents.token;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.Remembered;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Caches the signing keys. It reads them again when they are old, and when a token names an unknown
 * key: so it notices a rotation at once. A pause between such reads protects the store from forged
 * key ids.
 *
 * <p>A rotation may finish during the pause. Its key is still found: it was pending for {@link
 * #TIME_TO_LEARN} before it signed, longer than the pause, so the read before the pause found it.
 *
 * <p>Every method except {@link #readAhead} throws {@link DependencyUnavailableException} if it has
 * to read the keys and the store does not answer.
 */
public final class KeyRing {

  /** How long a key is cached for verifying. */
  public static final Duration MAX_AGE = Duration.ofMinutes(5);

  /**
   * How long the current key is cached for signing. Shorter than {@link #TIME_TO_LEARN}: so the key
   * is the current or the previous one, and every instance verifies it, however fast two rotations
   * follow each other.
   */
  public static final Duration MAX_SIGNING_AGE = Duration.ofSeconds(5);

  /** The shortest time between two reads for unknown key ids, and after a failed read. */
  static final Duration READ_PAUSE = Duration.ofSeconds(5);

  /** After this wait every instance can verify a pending key. */
  public static final Duration TIME_TO_LEARN = READ_PAUSE.plusSeconds(1);

  private final PausingKeys keys;
  private final Clock clock;
  private Optional<Remembered<SigningKey>> current = Optional.empty();

  /** Read when first needed: most tokens name the current key. */
  private Optional<Remembered<Optional<SigningKey>>> previous = Optional.empty();

  /** Read only for an unknown key id: its time is that of the last such read. */
  private Optional<Remembered<Optional<SigningKey>>> pending = Optional.empty();

  public KeyRing(SigningKeys keys, Clock clock) {
    this.keys = new PausingKeys(keys, READ_PAUSE, clock);
    this.clock = clock;
  }

  /** The key to sign with. */
  public synchronized SigningKey signing() {
    return current(MAX_SIGNING_AGE);
  }

  /**
   * Reads the current key, unless it is cached. Does not throw: if the read fails, calls that need
   * the key fail during the next {@link #READ_PAUSE}.
   */
  public synchronized void readAhead() {
    try {
      current(MAX_AGE);
    } catch (RuntimeException e) {
      // PausingKeys rethrows it during the pause.
    }
  }

  /** The key with that id, if it may still verify. */
  public synchronized Optional<SigningKey> verifying(String id) {
    Optional<SigningKey> known = find(id);
    return known.isPresent() ? known : readAndFind(id);
  }

  private Optional<SigningKey> readAndFind(String id) {
    keys.requireAnswers(); // while the store fails, an unknown key may be ours
    if (young(pending, READ_PAUSE).isPresent()) {
      return Optional.empty();
    }
    readAll();
    return find(id);
  }

  private Optional<SigningKey> find(String id) {
    SigningKey signs = current(MAX_AGE);
    if (signs.id().equals(id)) {
      return Optional.of(signs);
    }
    return Stream.of(previous(), young(pending, MAX_AGE).flatMap(Function.identity()))
        .flatMap(Optional::stream)
        .filter(key -> key.id().equals(id))
        .findFirst();
  }

  private SigningKey current(Duration age) {
    return young(current, age).orElseGet(this::readCurrent);
  }

  private Optional<SigningKey> previous() {
    return young(previous, MAX_AGE).orElseGet(this::readPrevious);
  }

  /**
   * Reads the pending key before the current one: so it also finds the new key if a rotation
   * finishes in between. It ignores a weak pending key, which the rotation has not tested.
   */
  private void readAll() {
    Instant now = clock.instant();
    pending = Optional.of(new Remembered<>(keys.pending().filter(KeyText::isStrong), now));
    readCurrent();
    previous = Optional.empty();
  }

  private SigningKey readCurrent() {
    Instant now = clock.instant();
    SigningKey read = keys.current();
    if (current.filter(known -> known.value().equals(read)).isEmpty()) {
      previous = Optional.empty(); // a rotation replaces both
    }
    current = Optional.of(new Remembered<>(read, now));
    return read;
  }

  private Optional<SigningKey> readPrevious() {
    Instant now = clock.instant();
    Optional<SigningKey> read = keys.previous();
    previous = Optional.of(new Remembered<>(read, now));
    return read;
  }

  private <T> Optional<T> young(Optional<Remembered<T>> known, Duration age) {
    return known.filter(it -> it.isYoungerThan(age, clock.instant())).map(Remembered::value);
  }
}
