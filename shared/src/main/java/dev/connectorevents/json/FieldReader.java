package dev.connectorevents.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.connectorevents.Json;
import dev.connectorevents.Unicode;
import dev.connectorevents.http.Fault;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the parser's current value by the rule of its field, and collects all faults. */
public final class FieldReader {

  /** A name appears twice in an object, so its value is ambiguous. */
  public static final class DuplicateName extends IOException {
    private static final long serialVersionUID = 1;

    public DuplicateName(String detail, JsonParser parser) {
      super(detail + ": " + Json.place(parser.currentTokenLocation()) + ".");
    }
  }

  private final JsonParser parser;
  private final List<Fault> faults = new ArrayList<>();

  public FieldReader(JsonParser parser) {
    this.parser = parser;
  }

  public List<Fault> faults() {
    return faults;
  }

  public void fault(String pointer, String rule) {
    faults.add(new Fault(pointer, rule));
  }

  /**
   * Reads the members of the object whose start was just read. A null means that a member is
   * absent.
   *
   * @throws DuplicateName if a name appears twice
   */
  public void readMembers(Json.MemberReader reader) throws IOException {
    Set<String> names = new HashSet<>();
    Json.readMembers(
        parser,
        name -> {
          if (!names.add(name)) {
            throw new DuplicateName("The body has a member twice", parser);
          }
          if (parser.currentToken() != JsonToken.VALUE_NULL) {
            reader.read(name);
          }
        });
  }

  /** Adds a fault if a field is absent. A value that breaks its rule has a fault already. */
  public void require(String name, @Nullable Object value, String rule) {
    if (value == null && !hasFault(Fault.pointer("", name))) {
      fault(Fault.pointer("", name), "required: " + rule);
    }
  }

  public boolean hasFault(String pointer) {
    for (Fault fault : faults) { // no stream: each event without a key gets here
      if (fault.pointer().equals(pointer)) {
        return true;
      }
    }
    return false;
  }

  /** Whether the value is an object. Skips any other value, and adds a fault. */
  public boolean isObject(String pointer, String rule) throws IOException {
    if (parser.currentToken() == JsonToken.START_OBJECT) {
      return true;
    }
    fault(pointer, rule);
    parser.skipChildren();
    return false;
  }

  /** Reads an element that was just read. If it breaks its rule, adds a fault and returns null. */
  public interface ElementReader<T> {
    @Nullable T read(String pointer) throws IOException;
  }

  /**
   * Reads an array of 1 to {@code max} elements. Counts elements that are too many, but does not
   * keep them. If the value is no array, adds a fault and returns null.
   */
  public <T> @Nullable List<T> array(String rule, int max, ElementReader<T> reader)
      throws IOException {
    String pointer = Fault.pointer("", parser.currentName());
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      fault(pointer, rule);
      parser.skipChildren();
      return null;
    }
    List<T> elements = new ArrayList<>();
    int count = 0;
    for (; parser.nextToken() != JsonToken.END_ARRAY; count++) {
      T element = count < max ? reader.read(pointer + "/" + count) : null;
      if (element != null) {
        elements.add(element);
      }
      parser.skipChildren();
    }
    if (count == 0 || count > max) {
      fault(pointer, rule + "; there are " + count);
    }
    return elements;
  }

  /**
   * Converts a string. If that is not possible, adds a fault and returns null. A string that is not
   * well-formed Unicode, such as the escape {@code \ud800} alone, cannot be stored: it breaks every
   * rule.
   */
  public <T> @Nullable T text(String rule, Function<String, Optional<T>> read) throws IOException {
    String name = parser.currentName();
    Optional<T> value = Optional.empty();
    if (parser.currentToken() == JsonToken.VALUE_STRING) {
      value = Optional.of(parser.getText()).filter(Unicode::isWellFormed).flatMap(read);
    }
    return valueOrFault(name, rule, value);
  }

  /**
   * Reads a whole number from 0 to {@code max}, without fraction and exponent. If the value is
   * something else, adds a fault and returns null.
   */
  public @Nullable Long number(long max) throws IOException {
    String name = parser.currentName();
    Optional<Long> value = Optional.empty();
    if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT) {
      value = parse(parser.getText()).filter(number -> number >= 0 && number <= max);
    }
    return valueOrFault(
        name, "an integer from 0 to " + max + ", without quotes, fraction or exponent", value);
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
