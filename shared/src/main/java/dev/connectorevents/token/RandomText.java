package dev.connectorevents.token;

import java.util.random.RandomGenerator;

/** Random letters and digits: no shell and no JSON string has to escape them. */
public final class RandomText {

  /** 62 of them: 5.95 bits a character. */
  static final String CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

  private RandomText() {}

  /**
   * A new text.
   *
   * @param random must be cryptographically secure
   */
  public static String of(int length, RandomGenerator random) {
    StringBuilder text = new StringBuilder(length);
    while (text.length() < length) {
      text.append(CHARACTERS.charAt(random.nextInt(CHARACTERS.length())));
    }
    return text.toString();
  }
}
