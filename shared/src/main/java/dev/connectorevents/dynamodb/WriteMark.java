package dev.connectorevents.dynamodb;

import dev.connectorevents.event.Fingerprint;
import dev.connectorevents.event.Fingerprint.Version;
import java.nio.ByteBuffer;

/**
 * Where an item comes from. An event under a random id has none: only its own write can meet it
 * there.
 *
 * @param fingerprint of the event, as it was sent
 * @param nonce random, made for each write
 */
record WriteMark(Fingerprint fingerprint, int nonce) {

  /** Stands before a fingerprint of {@link Version#EVENT}; one of the body has no such byte. */
  private static final byte EVENT = 2;

  private static final int BODY_LENGTH = Fingerprint.BYTES + Integer.BYTES;

  /** Reads what {@link #bytes()} wrote, and marks of events that were stored before versions. */
  static WriteMark ofBytes(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    Version version = bytes.length == BODY_LENGTH ? Version.BODY : version(buffer.get());
    byte[] fingerprint = new byte[Fingerprint.BYTES];
    buffer.get(fingerprint);
    return new WriteMark(Fingerprint.ofBytes(version, fingerprint), buffer.getInt());
  }

  private static Version version(byte number) {
    if (number != EVENT) {
      throw new IllegalStateException("a fingerprint of an unknown version: " + number);
    }
    return Version.EVENT;
  }

  byte[] bytes() {
    return ByteBuffer.allocate(1 + BODY_LENGTH)
        .put(EVENT)
        .put(fingerprint.bytes())
        .putInt(nonce)
        .array();
  }
}
