package dev.connectorevents.http;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Function;

/** Reads a body that must be one JSON object, and says what is wrong if it is not. */
final class BodyReader {

  /** What is wrong with a body that is not well-formed Unicode. */
  static final String NOT_UTF_8 = "The body must be JSON text in UTF-8, and uncompressed.";

  /** Reads the rest of the object whose start was just read. */
  interface ObjectReader<T> {
    T read(JsonParser parser) throws IOException;
  }

  private BodyReader() {}

  /**
   * Reads a body.
   *
   * @param text well-formed Unicode
   * @param example of a body, for a text that is no object
   * @param malformed makes the result from what is wrong and where; it quotes nothing of the text
   */
  static <T> T read(
      String text,
      String example,
      ObjectReader<? extends T> reader,
      Function<String, ? extends T> malformed) {
    try (JsonParser parser = Json.FACTORY.createParser(text)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return malformed.apply("The body must be one JSON object, as in " + example + ".");
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
      return malformed.apply(
          "The body is not valid JSON: "
              + Json.place(e.getLocation())
              + ". Names and strings need double quotes; NaN, comments and a comma before } are not"
              + " JSON.");
    } catch (IOException e) {
      throw new UncheckedIOException("reading from memory", e);
    }
  }
}
