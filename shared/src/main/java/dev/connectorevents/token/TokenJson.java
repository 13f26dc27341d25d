package dev.connectorevents.token;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import dev.connectorevents.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Reader;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reads and writes a token's header or claims: one flat JSON object of texts and whole numbers,
 * since our tokens hold nothing else. It uses streams: data binding would slow a cold start down.
 */
final class TokenJson {

  // Does not cache names: a sender could fill the cache with names whose hashes collide.
  private static final JsonFactory JSON =
      new JsonFactoryBuilder()
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
          .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(1).build())
          .build();

  /**
   * A lenient decoder puts this character in place of bytes that are not UTF-8. Our own tokens
   * escape it.
   */
  private static final String REPLACEMENT = "\uFFFD";

  private TokenJson() {}

  /**
   * @throws IOException if the text is anything but one such object, or has a name twice
   */
  static Map<String, Object> read(Reader reader) throws IOException {
    String text = reader.readAllAsString();
    require(!text.contains(REPLACEMENT));
    try (JsonParser parser = JSON.createParser(text)) {
      require(parser.nextToken() == JsonToken.START_OBJECT);
      Map<String, Object> members = new LinkedHashMap<>();
      Json.readMembers(parser, name -> require(members.put(name, value(parser)) == null));
      require(parser.nextToken() == null);
      return members;
    }
  }

  private static Object value(JsonParser parser) throws IOException {
    JsonToken token = parser.currentToken();
    require(token == JsonToken.VALUE_STRING || token == JsonToken.VALUE_NUMBER_INT);
    return token == JsonToken.VALUE_STRING ? parser.getText() : (Object) parser.getLongValue();
  }

  private static void require(boolean condition) throws IOException {
    if (!condition) {
      throw new IOException("not one flat JSON object of texts and whole numbers");
    }
  }

  /**
   * Writes an object of these members, in their order.
   *
   * @param members texts as {@code String}, whole numbers as {@code Long}
   */
  static void write(Map<String, ?> members, OutputStream output) throws IOException {
    try (JsonGenerator generator = JSON.createGenerator(output)) {
      generator.writeStartObject();
      for (Map.Entry<String, ?> member : members.entrySet()) {
        generator.writeFieldName(member.getKey());
        switch (member.getValue()) {
          case String text -> generator.writeString(text);
          case Long number -> generator.writeNumber(number);
          default -> throw new IllegalArgumentException("neither a text nor a whole number");
        }
      }
      generator.writeEndObject();
    }
  }
}
