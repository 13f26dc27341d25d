package dev.connectorevents.event;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 (FIPS 180-4), without the checked exception for a missing algorithm. */
public final class Sha256 {

  /** Cloned for each hash: to find the provider each time takes longer than to hash a key. */
  private static final MessageDigest EMPTY = empty();

  private Sha256() {}

  private static MessageDigest empty() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }

  /** The hash of this text in UTF-8, in 64 hexadecimal digits. */
  public static String hex(String text) {
    return HexFormat.of().formatHex(of(text.getBytes(UTF_8)));
  }

  /** The hash of these bytes: 32 bytes. */
  public static byte[] of(byte[] bytes) {
    return begin().digest(bytes);
  }

  /** A hash of bytes that come piece by piece. */
  public static MessageDigest begin() {
    try {
      return (MessageDigest) EMPTY.clone();
    } catch (CloneNotSupportedException e) {
      throw new AssertionError("the JDK's SHA-256 can be cloned", e);
    }
  }
}
