package dev.connectorevents.eventformat;

import com.fasterxml.jackson.core.JsonToken;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A JSON value that is no object and no array.
 *
 * @param text the value as a text; a number as it is written in JSON
 * @param number empty for other values, and for a number with which arithmetic would take long
 */
public record JsonScalar(JsonToken token, String text, Optional<BigDecimal> number) {

  /** Longer numbers are compared as texts. */
  private static final int MAX_NUMBER = 1_000;

  private static final Pattern NUMBER =
      Pattern.compile("-?+\\d++(?:\\.\\d++)?+(?:[eE][+-]?+\\d++)?+");

  public static JsonScalar of(JsonToken token, String text) {
    return new JsonScalar(token, text, token.isNumeric() ? number(text) : Optional.empty());
  }

  static JsonScalar string(String text) {
    return of(JsonToken.VALUE_STRING, text);
  }

  private static Optional<BigDecimal> number(String text) {
    if (text.length() > MAX_NUMBER || !NUMBER.matcher(text).matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(new BigDecimal(text));
    } catch (NumberFormatException e) {
      return Optional.empty(); // the exponent is out of range
    }
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

  /** Whether only one is a string, and both would be the same without its quotes. */
  boolean differsOnlyInQuotes(JsonScalar other) {
    return isString() != other.isString()
        && isSame(number(other.text), number(text)).orElse(text.equals(other.text));
  }

  private static Optional<Boolean> isSame(Optional<BigDecimal> one, Optional<BigDecimal> two) {
    return one.flatMap(number -> two.map(other -> number.compareTo(other) == 0));
  }

  /** The type, for people. */
  String type() {
    return switch (token) {
      case VALUE_STRING -> "a string";
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> "a number";
      case VALUE_TRUE, VALUE_FALSE -> "a boolean";
      default -> "null";
    };
  }
}
