package dev.connectorevents.event;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** Makes an event's id before the event is written, so that a retry finds the first try's event. */
public final class EventIds {

  private final InstantSource clock;
  private final RandomGenerator random;

  public EventIds(InstantSource clock, RandomGenerator random) {
    this.clock = clock;
    this.random = random;
  }

  /** A new, unique id: a UUID of version 7 (RFC 9562, 5.7), ordered by its millisecond. */
  public UUID next() {
    return uuid(7, (clock.millis() << 16) | (random.nextLong() & 0xffff), random.nextLong());
  }

  /**
   * The id of a user's event under a key, the same for every retry: a name-based UUID of version 8
   * on SHA-256 (RFC 9562, 5.8 and appendix B.2). The user's id is the name space.
   */
  public static UUID of(UUID user, IdempotencyKey key) {
    byte[] name = key.value().getBytes(US_ASCII);
    ByteBuffer nameInSpace =
        ByteBuffer.allocate(16 + name.length)
            .putLong(user.getMostSignificantBits())
            .putLong(user.getLeastSignificantBits())
            .put(name);
    ByteBuffer hash = ByteBuffer.wrap(Sha256.of(nameInSpace.array()));
    return uuid(8, hash.getLong(), hash.getLong());
  }

  /** Parses an id as the service writes it, so that each has one text: a UUID in lower case. */
  public static Optional<UUID> parse(String text) {
    try {
      return Optional.of(UUID.fromString(text)).filter(id -> id.toString().equals(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Whether an id is one of {@link #of}: then somebody may send the event again. */
  public static boolean isOfKey(UUID id) {
    return id.version() == 8;
  }

  /** Sets the fields that all UUIDs share: 4 bits of version, 2 of variant (RFC 9562, 4). */
  private static UUID uuid(int version, long high, long low) {
    return new UUID(
        (high & 0xffffffffffff0fffL) | ((long) version << 12),
        (low & 0x3fffffffffffffffL) | (1L << 63));
  }
}
