package dev.connectorevents.emulator.template;

import java.security.SecureRandom;
import java.util.stream.Collectors;

/**
 * The rule of {@code GenerateSecretString}: random letters, digits and punctuation. Unlike AWS, it
 * does not require one character of each kind.
 */
record RandomPassword(int length, String alphabet) {

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final String LETTERS_AND_DIGITS =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  private static final String PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

  static RandomPassword read(Section section) {
    boolean excludesPunctuation = section.isTrue("ExcludePunctuation");
    String alphabet = excludesPunctuation ? LETTERS_AND_DIGITS : LETTERS_AND_DIGITS + PUNCTUATION;
    return new RandomPassword(section.optionalNumber("PasswordLength").orElse(32), alphabet);
  }

  String make() {
    return RANDOM
        .ints(length, 0, alphabet.length())
        .mapToObj(index -> String.valueOf(alphabet.charAt(index)))
        .collect(Collectors.joining());
  }
}
