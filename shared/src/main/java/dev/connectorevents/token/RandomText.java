package dev.connectorevents.token;

import java.util.random.RandomGenerator;

/** Makes random texts of letters and digits, which need no escape in a shell or in JSON. */
public final class RandomText {

  /** 62 characters, so each one has 5.95 bits. */
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
