package dev.connectorevents.aws;

import dev.connectorevents.event.Fingerprint;
import java.nio.ByteBuffer;

/**
 * What an item says of where it comes from. An event under a random id has none: only its own write
 * can meet it there.
 *
 * @param fingerprint of the request
 * @param nonce random, made for each write
 */
record WriteMark(Fingerprint fingerprint, int nonce) {

  static WriteMark ofBytes(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    byte[] fingerprint = new byte[Fingerprint.BYTES];
    buffer.get(fingerprint);
    return new WriteMark(Fingerprint.ofBytes(fingerprint), buffer.getInt());
  }

  byte[] bytes() {
    return ByteBuffer.allocate(Fingerprint.BYTES + Integer.BYTES)
        .put(fingerprint.bytes())
        .putInt(nonce)
        .array();
  }
}
