package dev.connectorevents.token;

import java.util.random.RandomGenerator;

/** Secrets as text: letters and digits, which neither a shell nor a JSON string has to escape. */
public final class RandomText {

  /** 62 of them: 5.95 bits a character. */
  static final String CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

  private RandomText() {}

  /**
   * A new text.
   *
   * @param random has to be one for cryptography
   */
  public static String of(int length, RandomGenerator random) {
    StringBuilder text = new StringBuilder(length);
    while (text.length() < length) {
      text.append(CHARACTERS.charAt(random.nextInt(CHARACTERS.length())));
    }
    return text.toString();
  }
}
