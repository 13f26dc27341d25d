package dev.connectorevents.functions.operators.users;

import dev.connectorevents.token.RandomText;
import dev.connectorevents.user.PasswordHash;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** A password that may be set: chosen by an operator, or random. */
record Password(String text) {

  /** The shortest password that an operator may choose, in characters. */
  static final int MIN_LENGTH = 12;

  /** In characters; together they have 190 bits. */
  private static final int RANDOM_LENGTH = 32;

  static Optional<Password> parse(String text) {
    return text.codePointCount(0, text.length()) >= MIN_LENGTH && PasswordHash.isPassword(text)
        ? Optional.of(new Password(text))
        : Optional.empty();
  }

  static Password random(RandomGenerator random) {
    return new Password(RandomText.of(RANDOM_LENGTH, random));
  }

  /** Hides the password: logs must not contain it. */
  @Override
  public String toString() {
    return "Password[…]";
  }
}
