package dev.connectorevents.user;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An e-mail address in the form used for lookups: trimmed and lower-cased.
 *
 * @param value at most {@value #MAX_LENGTH} characters, what remains of the 256 of a path in RFC
 *     5321, 4.5.3.1.3, without its angle brackets
 */
public record Email(String value) {

  /** In characters. */
  public static final int MAX_LENGTH = 254;

  // No spaces, controls, formatting characters or unpaired surrogates: an address ends up in keys,
  // tokens and logs.
  private static final Pattern SHAPE =
      Pattern.compile("[^@\\p{Z}\\p{Cc}\\p{Cf}\\p{Cs}]+@[^@\\p{Z}\\p{Cc}\\p{Cf}\\p{Cs}]+");

  /**
   * @throws IllegalArgumentException if {@code value} is not an address in this form
   */
  public Email {
    if (!value.equals(normalize(value)) || !isAddress(value)) {
      throw new IllegalArgumentException("not a normalized e-mail address");
    }
  }

  /** Normalizes and parses an address; empty if the text is not one. */
  public static Optional<Email> parse(String text) {
    // The JDK takes quadratic time for a text that becomes longer in lower case.
    Optional<String> normalized =
        Optional.of(text.strip()).filter(Email::isShort).map(Email::normalize);
    return normalized.filter(Email::isAddress).map(Email::new);
  }

  private static boolean isShort(String text) {
    return text.length() <= MAX_LENGTH;
  }

  private static String normalize(String text) {
    return text.strip().toLowerCase(Locale.ROOT);
  }

  private static boolean isAddress(String normalized) {
    return isShort(normalized) && SHAPE.matcher(normalized).matches();
  }

  @Override
  public String toString() {
    return value;
  }
}
