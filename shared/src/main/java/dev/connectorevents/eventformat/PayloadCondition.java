package dev.connectorevents.eventformat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonToken;
import dev.connectorevents.http.Json;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.util.List;

/**
 * A condition on a payload: it has a certain string, number, boolean or null at a certain place.
 *
 * @param pointer the place (RFC 6901). If a payload repeats a name, any of its values may match
 */
public record PayloadCondition(JsonPointer pointer, Scalar value) {

  /**
   * A value that is no object and no array.
   *
   * @param text the value as a text; a number in any form that {@link BigDecimal} reads
   */
  public record Scalar(JsonToken token, String text) {

    /** Longer numbers are compared as texts: arithmetic with them would take too long. */
    private static final int MAX_DIGITS = 1_000;

    /** Whether both are equal. Numbers are compared by their value: 1.0 equals 1. */
    boolean matches(Scalar other) {
      if (token.isNumeric() && other.token.isNumeric()) {
        return isSameNumber(other);
      }
      return token == other.token && text.equals(other.text);
    }

    private boolean isSameNumber(Scalar other) {
      if (text.length() > MAX_DIGITS || other.text.length() > MAX_DIGITS) {
        return text.equals(other.text);
      }
      try {
        return new BigDecimal(text).compareTo(new BigDecimal(other.text)) == 0;
      } catch (NumberFormatException e) {
        return text.equals(other.text); // the exponent is out of range
      }
    }
  }

  /**
   * Whether a payload fulfils any of the conditions. It reads the payload once, and holds no more
   * of it in memory than one value that a condition is about.
   */
  public static boolean anyHolds(List<PayloadCondition> conditions, InputStream payload)
      throws IOException {
    try (JsonParser parser = Json.FACTORY.createParser(payload)) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token.isScalarValue() && anyHolds(conditions, token, parser)) {
          return true;
        }
      }
      return false;
    }
  }

  private static boolean anyHolds(
      List<PayloadCondition> conditions, JsonToken token, JsonParser parser) throws IOException {
    JsonPointer here = parser.getParsingContext().pathAsPointer();
    for (PayloadCondition condition : conditions) {
      if (condition.pointer.equals(here)
          && condition.value.matches(new Scalar(token, parser.getText()))) {
        return true;
      }
    }
    return false;
  }
}
