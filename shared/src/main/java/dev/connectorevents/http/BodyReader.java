package dev.connectorevents.http;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads a body that must be one JSON object, and says what is wrong if it is not. */
public final class BodyReader {

  /** What is wrong with a body that is not well-formed Unicode. */
  public static final String NOT_UTF_8 = "The body must be JSON text in UTF-8, and uncompressed.";

  /** Reads the rest of the object whose start was just read. */
  public interface ObjectReader<T> {
    T read(JsonParser parser) throws IOException;
  }

  private BodyReader() {}

  /**
   * Reads the members of a body that are strings.
   *
   * @param text empty if the body is not well-formed Unicode
   * @param example of a body
   * @param malformed makes the result from what is wrong and where; it quotes nothing of the body
   */
  public static <T> T readStrings(
      Optional<String> text,
      String example,
      Function<Map<String, String>, ? extends T> reader,
      Function<String, ? extends T> malformed) {
    return text.isPresent()
        ? read(text.get(), example, parser -> reader.apply(strings(parser)), malformed)
        : malformed.apply(NOT_UTF_8);
  }

  private static Map<String, String> strings(JsonParser parser) throws IOException {
    Map<String, String> strings = new HashMap<>();
    new FieldReader(parser)
        .readMembers(name -> {
          if (parser.currentToken() == JsonToken.VALUE_STRING) {
            strings.put(name, parser.getText());
          }
          parser.skipChildren();
        });
    return strings;
  }

  /**
   * Reads a body.
   *
   * @param text well-formed Unicode
   * @param example of a body, for a text that is no object
   * @param malformed makes the result from what is wrong and where; it quotes nothing of the text
   */
  public static <T> T read(
      String text,
      String example,
      ObjectReader<? extends T> reader,
      Function<String, ? extends T> malformed) {
    try (JsonParser parser = Json.FACTORY.createParser(text)) {
      JsonToken first = parser.nextToken();
      if (first != JsonToken.START_OBJECT) {
        return malformed.apply(noObject(first, example));
      }
      T object = reader.read(parser);
      return parser.nextToken() == null
          ? object
          : malformed.apply("The body must be one JSON object: something follows it.");
    } catch (FieldReader.DuplicateName e) {
      return malformed.apply(String.valueOf(e.getMessage()));
    } catch (StreamConstraintsException e) {
      return malformed.apply("The body is nested deeper than " + Json.MAX_DEPTH + " levels.");
    } catch (JsonProcessingException e) {
      return malformed.apply(SyntaxError.detail(text, e, example));
    } catch (IOException e) {
      throw new UncheckedIOException("reading from memory", e);
    }
  }

  private static String noObject(@Nullable JsonToken first, String example) {
    String rule = "must be one JSON object, as in " + example;
    if (first == null) {
      return "The body is empty. It " + rule + ".";
    }
    return first == JsonToken.VALUE_STRING
        ? "The body is a JSON string. It " + rule + ": encode it as JSON once, not twice."
        : "The body " + rule + ".";
  }
}
