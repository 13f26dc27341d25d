package dev.connectorevents.event;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A JSON value, read as far as the rules for events look into it. */
public sealed interface Value {

  /** A string, its escapes resolved. */
  record Text(String value) implements Value {}

  /** A number without fraction and exponent, as it was written. */
  record Whole(String digits) implements Value {}

  /** An object: {@code payload._meta}. */
  record Members(Map<String, Value> values) implements Value {

    public Members {
      // Not Map.copyOf: it slows down badly on names that collide, and a sender chooses these.
      values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }
  }

  /**
   * The payload, which is not read but cut out.
   *
   * @param text what was sent, from brace to brace
   * @param isEmpty whether it is an object without members
   * @param meta its member {@code _meta}, if it has one
   */
  record Cut(String text, boolean isEmpty, @Nullable MetaMember meta) implements Value {

    /** The text without the member, the whitespace around it, and one adjoining comma. */
    String withoutMeta() {
      if (meta == null) {
        return text;
      }
      int start = meta.start();
      while (isWhitespace(text.charAt(start - 1))) {
        start--;
      }
      int end = meta.end();
      while (isWhitespace(text.charAt(end))) {
        end++;
      }
      if (text.charAt(start - 1) == ',') {
        start--;
      } else if (text.charAt(end) == ',') {
        end++;
      }
      return text.substring(0, start) + text.substring(end);
    }

    /** RFC 8259, 2. */
    private static boolean isWhitespace(char character) {
      return character == ' ' || character == '\t' || character == '\n' || character == '\r';
    }
  }

  /**
   * The member {@code _meta} of a payload.
   *
   * @param start index of its name's opening quote in the payload's text
   * @param end index behind its value
   */
  record MetaMember(Value value, int start, int end) {}

  /** Anything that no rule allows: booleans, fractions, arrays, other objects. */
  record Other() implements Value {}
}
