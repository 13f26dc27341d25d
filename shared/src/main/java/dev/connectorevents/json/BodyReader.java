package dev.connectorevents.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import dev.connectorevents.Json;
import dev.connectorevents.http.Request;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads a body that must be one JSON object, and says what is wrong if it is not. */
public final class BodyReader {

  private static final String NOT_UTF_8 = "The body must be JSON text in UTF-8, and uncompressed.";

  /** Reads the rest of the object whose start was just read. */
  public interface ObjectReader<T> {

    /**
     * Reads the object, and checks it.
     *
     * @throws IOException if the text is not JSON, or has a name twice where that is ambiguous
     */
    Body.Checked<T> read(String text, JsonParser parser) throws IOException;
  }

  private BodyReader() {}

  /**
   * Reads the members of a request's body that are strings.
   *
   * @param example of a body
   */
  public static <T> Body<T> readStrings(
      Request request,
      String example,
      Function<Map<String, String>, ? extends Body.Checked<T>> reader) {
    return read(request, example, (_, parser) -> reader.apply(strings(parser)));
  }

  /** As the other, of a well-formed text. */
  public static <T> Body<T> readStrings(
      String text,
      String example,
      Function<Map<String, String>, ? extends Body.Checked<T>> reader) {
    return read(text, example, (_, parser) -> reader.apply(strings(parser)));
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
   * Reads a request's body.
   *
   * @param example of a body, for a text that is no object
   */
  public static <T> Body<T> read(Request request, String example, ObjectReader<T> reader) {
    return read(request, example, "", reader);
  }

  /**
   * As the other.
   *
   * @param ofArray where to send an array instead: the end of a sentence
   */
  public static <T> Body<T> read(
      Request request, String example, String ofArray, ObjectReader<T> reader) {
    Optional<String> mistake = BodyHeaders.mistake(request);
    if (mistake.isPresent()) {
      return new Body.Unsupported<>(mistake.get());
    }
    Optional<String> text = request.text();
    return text.isPresent()
        ? read(text.get(), example, ofArray, reader)
        : new Body.Malformed<>(NOT_UTF_8);
  }

  /** As the other, of a well-formed text. */
  public static <T> Body<T> read(String text, String example, ObjectReader<T> reader) {
    return read(text, example, "", reader);
  }

  private static <T> Body<T> read(
      String text, String example, String ofArray, ObjectReader<T> reader) {
    try (JsonParser parser = Json.FACTORY.createParser(text)) {
      JsonToken first = parser.nextToken();
      if (first != JsonToken.START_OBJECT) {
        return new Body.Malformed<>(noObject(first, example, ofArray));
      }
      Body<T> body = reader.read(text, parser);
      return parser.nextToken() == null
          ? body
          : new Body.Malformed<>("The body must be one JSON object: something follows it.");
    } catch (FieldReader.DuplicateName e) {
      return new Body.Malformed<>(String.valueOf(e.getMessage()));
    } catch (StreamConstraintsException e) {
      return new Body.Malformed<>("The body is nested deeper than " + Json.MAX_DEPTH + " levels.");
    } catch (JsonProcessingException e) {
      return new Body.Malformed<>(SyntaxError.detail(text, e, example));
    } catch (IOException e) {
      throw new UncheckedIOException("reading from memory", e);
    }
  }

  private static String noObject(@Nullable JsonToken first, String example, String ofArray) {
    String rule = "must be one JSON object, as in " + example;
    if (first == null) {
      return "The body is empty. It " + rule + ".";
    }
    return first == JsonToken.VALUE_STRING
        ? "The body is a JSON string. It " + rule + ": encode it as JSON once, not twice."
        : "The body " + rule + (first == JsonToken.START_ARRAY ? ofArray : "") + ".";
  }
}
