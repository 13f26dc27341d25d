package dev.connectorevents.dynamodb.events;

import dev.connectorevents.event.Fingerprint;
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

  /** The first byte of a mark. Raise it if a fingerprint covers something else. */
  private static final byte VERSION = 2;

  /** Reads what {@link #bytes()} wrote. */
  static WriteMark ofBytes(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    byte version = buffer.get();
    if (version != VERSION) {
      throw new IllegalStateException("unknown version of a fingerprint: " + version);
    }
    return new WriteMark(Fingerprint.of(buffer), buffer.getInt());
  }

  byte[] bytes() {
    return ByteBuffer.allocate(Byte.BYTES + Fingerprint.BYTES + Integer.BYTES)
        .put(VERSION)
        .putLong(fingerprint.high())
        .putLong(fingerprint.low())
        .putInt(nonce)
        .array();
  }
}
