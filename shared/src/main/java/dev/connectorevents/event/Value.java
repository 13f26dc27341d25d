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
   * @param meta its {@code _meta}, if it has one
   */
  record Cut(String text, boolean isEmpty, @Nullable Value meta) implements Value {}

  /** Anything that no rule allows: booleans, fractions, arrays, other objects. */
  record Other() implements Value {}
}
