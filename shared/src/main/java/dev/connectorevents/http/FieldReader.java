package dev.connectorevents.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the value that a parser stands at by its rule; keeps every fault that it meets. */
final class FieldReader {

  /** A name appears twice in an object where one of them would have to be chosen. */
  static final class DuplicateName extends IOException {
    private static final long serialVersionUID = 1;

    DuplicateName(String where) {
      super(where);
    }
  }

  private final JsonParser parser;
  private final List<Fault> faults = new ArrayList<>();

  FieldReader(JsonParser parser) {
    this.parser = parser;
  }

  List<Fault> faults() {
    return faults;
  }

  void fault(String pointer, String rule) {
    faults.add(new Fault(pointer, rule));
  }

  /** A fault if a field is absent; a value that broke its rule has one already. */
  void require(String name, @Nullable Object value, String rule) {
    String pointer = Fault.pointer("", name);
    if (value == null && faults.stream().noneMatch(fault -> fault.pointer().equals(pointer))) {
      fault(pointer, "required: " + rule);
    }
  }

  /** Whether the value is an object; else it is skipped, and a fault. */
  boolean isObject(String pointer, String rule) throws IOException {
    if (parser.currentToken() == JsonToken.START_OBJECT) {
      return true;
    }
    fault(pointer, rule);
    parser.skipChildren();
    return false;
  }

  /**
   * What is made of a string; null, and a fault, if nothing is. A string that cannot be stored as
   * it is breaks every rule: an escape such as {@code \ud800} alone stands for nothing.
   */
  <T> @Nullable T text(String rule, Function<String, Optional<T>> read) throws IOException {
    String name = parser.currentName();
    Optional<T> value = Optional.empty();
    if (parser.currentToken() == JsonToken.VALUE_STRING) {
      value =
          Optional.of(parser.getText())
              .filter(text -> UTF_8.newEncoder().canEncode(text))
              .flatMap(read);
    }
    return valueOrFault(name, rule, value);
  }

  /** A whole number from 0 to {@code max}, written without fraction and exponent. */
  @Nullable Long number(long max) throws IOException {
    String name = parser.currentName();
    Optional<Long> value = Optional.empty();
    if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT) {
      value = parse(parser.getText()).filter(number -> number >= 0 && number <= max);
    }
    return valueOrFault(name, "an integer from 0 to " + max, value);
  }

  private static Optional<Long> parse(String digits) {
    try {
      return Optional.of(Long.parseLong(digits));
    } catch (NumberFormatException e) {
      return Optional.empty(); // too long
    }
  }

  private <T> @Nullable T valueOrFault(String name, String rule, Optional<T> value)
      throws IOException {
    parser.skipChildren();
    if (value.isEmpty()) {
      fault(Fault.pointer("", name), rule);
    }
    return value.orElse(null);
  }
}
