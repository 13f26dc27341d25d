package dev.connectorevents.token;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.random.RandomGenerator;

/** The text of a signing key: 64 letters and digits, like the template's first key. */
public final class KeyText {

  private static final int LENGTH = 64;

  /** 64 random characters have about 40 different ones. A text with 20 or fewer is not random. */
  private static final int LEAST_DIFFERENT = 20;

  private KeyText() {}

  /**
   * A new key.
   *
   * @param random must be cryptographically secure
   */
  public static String random(RandomGenerator random) {
    return RandomText.of(LENGTH, random);
  }

  /** Whether a key has this form and looks random: not cut short, and not typed by hand. */
  public static boolean isStrong(SigningKey key) {
    String text = new String(key.key().getEncoded(), US_ASCII);
    return text.length() == LENGTH
        && text.chars().allMatch(character -> RandomText.CHARACTERS.indexOf(character) >= 0)
        && text.chars().distinct().count() > LEAST_DIFFERENT;
  }
}
