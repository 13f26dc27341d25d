package dev.connectorevents.event;

import java.util.Base64;
import java.util.Optional;

/** Base64url without padding (RFC 4648, 5), as cursors and entity tags have it. */
public final class Base64Url {

  private Base64Url() {}

  public static String of(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** The bytes of a text; empty if {@link #of} makes this text of no bytes. */
  public static Optional<byte[]> parse(String text) {
    try {
      return Optional.of(Base64.getUrlDecoder().decode(text))
          .filter(bytes -> of(bytes).equals(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
