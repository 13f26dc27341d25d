package dev.connectorevents.token;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.random.RandomGenerator;

/** What a signing key is written as: the 64 letters and digits that the template's first key is. */
public final class KeyText {

  private static final int LENGTH = 64;

  /** Of 64 random ones some 40 are different; as few as 20 are no accident. */
  private static final int LEAST_DIFFERENT = 20;

  private KeyText() {}

  /**
   * A new key.
   *
   * @param random has to be one for cryptography
   */
  public static String random(RandomGenerator random) {
    return RandomText.of(LENGTH, random);
  }

  /** Whether it may be such a key: not one that was cut short, or typed. */
  public static boolean isStrong(SigningKey key) {
    String text = new String(key.key().getEncoded(), US_ASCII);
    return text.length() == LENGTH
        && text.chars().allMatch(character -> RandomText.CHARACTERS.indexOf(character) >= 0)
        && text.chars().distinct().count() > LEAST_DIFFERENT;
  }
}
