package dev.connectorevents.event;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * What a request is recognized by: a hash of its body, which tells one that is sent again from
 * another one under the same key.
 *
 * <p>128 bits of SHA-256. To find two bodies with one fingerprint takes some 2^64 tries, and would
 * deceive nobody but the user who made them, under its own key.
 *
 * @param hex {@value #BYTES} bytes in lower-case hex
 */
public record Fingerprint(String hex) {

  /** How long it is. */
  public static final int BYTES = 16;

  /** The fingerprint of a request with this body. */
  public static Fingerprint of(byte[] body) {
    return ofBytes(Arrays.copyOf(Sha256.of(body), BYTES));
  }

  /** As {@link #bytes()} gave it. */
  public static Fingerprint ofBytes(byte[] bytes) {
    return new Fingerprint(HexFormat.of().formatHex(bytes));
  }

  /** Its short form, for a store. */
  public byte[] bytes() {
    return HexFormat.of().parseHex(hex);
  }
}
