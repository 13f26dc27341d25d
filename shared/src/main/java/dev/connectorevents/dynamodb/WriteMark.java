package dev.connectorevents.dynamodb;

import dev.connectorevents.event.Fingerprint;
import dev.connectorevents.event.Fingerprint.Version;
import java.nio.ByteBuffer;

/**
 * Stored with an event that has an {@code Idempotency-Key}, to tell later writes of its id apart:
 * the SDK's retry has the same nonce, a client's retry only the same fingerprint.
 *
 * <p>An event with a random id has no mark: only the SDK's retry can find that id taken.
 *
 * @param fingerprint of the event as it was sent
 * @param nonce a random number, new for each write; the SDK's retries repeat it
 */
record WriteMark(Fingerprint fingerprint, int nonce) {

  /**
   * The first byte of a mark with {@link Version#EVENT}; one with {@link Version#BODY} has none.
   */
  private static final byte EVENT = 2;

  private static final int BODY_LENGTH = Fingerprint.BYTES + Integer.BYTES;

  /** Reads what {@link #bytes()} wrote, and marks from before fingerprints had versions. */
  static WriteMark ofBytes(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    Version version = bytes.length == BODY_LENGTH ? Version.BODY : version(buffer.get());
    return new WriteMark(Fingerprint.of(version, buffer), buffer.getInt());
  }

  private static Version version(byte number) {
    if (number != EVENT) {
      throw new IllegalStateException("unknown version of a fingerprint: " + number);
    }
    return Version.EVENT;
  }

  byte[] bytes() {
    return ByteBuffer.allocate(1 + BODY_LENGTH)
        .put(EVENT)
        .putLong(fingerprint.high())
        .putLong(fingerprint.low())
        .putInt(nonce)
        .array();
  }
}
