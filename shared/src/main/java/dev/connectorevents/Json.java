package dev.connectorevents;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/**
 * Reads and writes small JSON with Jackson's streams: data binding would slow a cold start down.
 */
public final class Json {

  /** The deepest nesting that is accepted; the outermost braces are level 1. */
  public static final int MAX_DEPTH = 1_000;

  /**
   * Parses what clients send. It limits only the depth: a provider may use any number and any name,
   * and Lambda limits the size. It does not cache names, since a sender could fill the cache with
   * names whose hashes collide.
   */
  public static final JsonFactory FACTORY =
      new JsonFactoryBuilder()
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private Json() {}

  /** Reads the value of a member, whose first token was just read. */
  public interface MemberReader {
    void read(String name) throws IOException;
  }

  /** Reads the members of the object whose start was just read. */
  public static void readMembers(JsonParser parser, MemberReader reader) throws IOException {
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      reader.read(name);
    }
  }

  /** Where a mistake is, for people: nothing of the text. */
  public static String place(JsonLocation location) {
    return "line %d, column %d".formatted(location.getLineNr(), location.getColumnNr());
  }

  /**
   * Writes an object in its map's order. Its values are strings, numbers, booleans, lists and
   * further objects.
   *
   * @throws IllegalArgumentException for any other value
   */
  public static String write(Map<String, ?> object) {
    StringWriter text = new StringWriter();
    try (JsonGenerator generator = FACTORY.createGenerator(text)) {
      writeValue(generator, object);
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
    return text.toString();
  }

  /** The bytes that a text takes inside a JSON string: with its escapes, in UTF-8. */
  public static long sizeInString(String text) {
    return JsonStringEncoder.getInstance().quoteAsUTF8(text).length;
  }

  private static void writeValue(JsonGenerator generator, Object value) throws IOException {
    switch (value) {
      case Map<?, ?> object -> {
        generator.writeStartObject();
        for (Map.Entry<?, ?> member : object.entrySet()) {
          generator.writeFieldName(String.valueOf(member.getKey()));
          writeValue(generator, member.getValue());
        }
        generator.writeEndObject();
      }
      case List<?> array -> {
        generator.writeStartArray();
        for (Object element : array) {
          writeValue(generator, element);
        }
        generator.writeEndArray();
      }
      case String string -> generator.writeString(string);
      case Integer number -> generator.writeNumber(number);
      case Long number -> generator.writeNumber(number);
      case Double number -> generator.writeNumber(number);
      case Boolean bool -> generator.writeBoolean(bool);
      default -> throw new IllegalArgumentException("not JSON: " + value.getClass());
    }
  }
}
