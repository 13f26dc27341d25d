package dev.connectorevents.functions.manageusers;

import dev.connectorevents.user.PasswordHash;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/** A password that may be set: chosen by an operator, or random. */
record Password(String text) {

  /** Of one that an operator chooses, in characters. */
  static final int MIN_LENGTH = 12;

  private static final String ALPHABET =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

  /**
   * In characters: 190 bits, and nothing in it that a shell or a JSON string would have to escape.
   */
  private static final int RANDOM_LENGTH = 32;

  static Optional<Password> parse(String text) {
    return text.codePointCount(0, text.length()) >= MIN_LENGTH && PasswordHash.isPassword(text)
        ? Optional.of(new Password(text))
        : Optional.empty();
  }

  static Password random(RandomGenerator random) {
    return new Password(
        random
            .ints(RANDOM_LENGTH, 0, ALPHABET.length())
            .mapToObj(index -> ALPHABET.substring(index, index + 1))
            .collect(Collectors.joining()));
  }

  /** Never the password. */
  @Override
  public String toString() {
    return "Password[…]";
  }
}
