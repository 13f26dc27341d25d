package dev.connectorevents.erasure;

import dev.connectorevents.event.Sha256;

/**
 * A hash that keeps a text secret from whoever cannot guess it: who knows the text can check it.
 *
 * @param salt random
 * @param sha256 SHA-256 of {@code salt} followed by the text, in UTF-8; in hexadecimal digits
 */
public record SaltedHash(String salt, String sha256) {

  public static SaltedHash of(String text, String salt) {
    return new SaltedHash(salt, Sha256.hex(salt + text));
  }

  public boolean isOf(String text) {
    return equals(of(text, salt));
  }
}
