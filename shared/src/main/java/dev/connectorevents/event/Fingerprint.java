package dev.connectorevents.event;

import java.util.HexFormat;

/**
 * What a request is recognized by: a hash of its body, which tells one that is sent again from
 * another one under the same key.
 *
 * @param value SHA-256 in lower-case hex
 */
public record Fingerprint(String value) {

  /** The fingerprint of a request with this body. */
  public static Fingerprint of(byte[] body) {
    return new Fingerprint(HexFormat.of().formatHex(Sha256.of(body)));
  }
}
