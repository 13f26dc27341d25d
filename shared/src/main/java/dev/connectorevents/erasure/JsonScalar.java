package dev.connectorevents.erasure;

import com.fasterxml.jackson.core.JsonToken;
import dev.connectorevents.Unicode;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A string, number, boolean or null in JSON. Caches what its many comparisons need. */
public final class JsonScalar {

  /** Longer numbers are compared as texts. */
  private static final int MAX_NUMBER = 1_000;

  private static final Pattern NUMBER =
      Pattern.compile("-?+\\d++(?:\\.\\d++)?+(?:[eE][+-]?+\\d++)?+");

  private final JsonToken token;
  private final String text;

  /** Its value as a number, also that of a string such as "1.5". */
  private final Optional<BigDecimal> number;

  private @Nullable String folded; // null until it is needed

  private JsonScalar(JsonToken token, String text) {
    this.token = token;
    this.text = text;
    this.number = text.length() > MAX_NUMBER ? Optional.empty() : number(token, text);
  }

  /**
   * A value as Jackson reads it.
   *
   * @param text a string's text without quotes; of other values the text in JSON
   */
  public static JsonScalar of(JsonToken token, String text) {
    return new JsonScalar(token, text);
  }

  static JsonScalar string(String text) {
    return of(JsonToken.VALUE_STRING, text);
  }

  private static Optional<BigDecimal> number(JsonToken token, String text) {
    try {
      return token.isNumeric() || (token == JsonToken.VALUE_STRING && isNumber(text))
          ? Optional.of(new BigDecimal(text))
          : Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.empty(); // the exponent is out of range
    }
  }

  private static boolean isNumber(String text) {
    return !text.isEmpty() && text.charAt(0) <= '9' && NUMBER.matcher(text).matches();
  }

  String text() {
    return text;
  }

  boolean isString() {
    return token == JsonToken.VALUE_STRING;
  }

  /** Whether both have the same type and value. Numbers are compared by value: 1.0 equals 1. */
  boolean isSameAs(JsonScalar other) {
    return (token.isNumeric() && other.token.isNumeric())
        ? isSame(number, other.number).orElse(text.equals(other.text))
        : token == other.token && text.equals(other.text);
  }

  /** Whether only the quotes of a string tell them apart, as in {@code "1"} and {@code 1}. */
  boolean differsOnlyInQuotes(JsonScalar other) {
    return isString() != other.isString()
        && isSame(number, other.number).orElse(text.equals(other.text));
  }

  private static Optional<Boolean> isSame(Optional<BigDecimal> one, Optional<BigDecimal> two) {
    return one.flatMap(number -> two.map(other -> number.compareTo(other) == 0));
  }

  /** Whether both texts are equal apart from upper and lower case, and from their Unicode form. */
  boolean foldsTo(JsonScalar other) {
    return folded().equals(other.folded());
  }

  /** Whether the other text is in this one, apart from upper and lower case, and Unicode form. */
  boolean foldedContains(JsonScalar other) {
    return folded().contains(other.folded());
  }

  private String folded() {
    if (folded == null) {
      folded = Unicode.foldCase(text);
    }
    return folded;
  }

  /** The type, for messages. */
  String type() {
    return switch (token) {
      case VALUE_STRING -> "a string";
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> "a number";
      case VALUE_TRUE, VALUE_FALSE -> "a boolean";
      default -> "null";
    };
  }
}
