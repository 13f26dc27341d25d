package dev.connectorevents.eventformat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.connectorevents.Json;
import dev.connectorevents.event.Meta;
import dev.connectorevents.event.SentPayload;
import dev.connectorevents.event.SentPayload.SentMeta;
import dev.connectorevents.http.Fault;
import dev.connectorevents.json.FieldReader;
import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Cuts the payload out of the request's text, and reads its {@code _meta} on the way. */
final class PayloadReader {

  static final String RULE = "an object; send it as JSON, not as a string that contains JSON";
  private static final String ARRAY_RULE =
      "an object, not an array: wrap it, as in {\"items\": [...]}, or send one event for each element";
  static final String META = "/payload/_meta";
  private static final String META_RULE = "an object whose values are strings; or leave it out";

  private final String text;
  private final JsonParser parser;
  private final FieldReader fields;

  PayloadReader(String text, JsonParser parser, FieldReader fields) {
    this.text = text;
    this.parser = parser;
    this.fields = fields;
  }

  /**
   * Reads the payload whose first token was just read. If it is not an object, adds a fault and
   * returns null.
   */
  @Nullable SentPayload read() throws IOException {
    boolean isArray = parser.currentToken() == JsonToken.START_ARRAY;
    if (!fields.isObject("/payload", isArray ? ARRAY_RULE : RULE)) {
      return null;
    }
    int start = tokenStart();
    boolean isEmpty = true;
    Optional<SentMeta> meta = Optional.empty();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      if (!parser.currentName().equals("_meta")) {
        parser.nextToken();
        parser.skipChildren();
      } else if (meta.isEmpty()) {
        meta = Optional.of(meta(start));
      } else {
        throw new FieldReader.DuplicateName("The payload has _meta twice", parser);
      }
      isEmpty = false;
    }
    return new SentPayload(text.substring(start, tokenStart() + 1), isEmpty, meta);
  }

  /**
   * Reads the member whose name was just read. Its end is wrong if it is not an object, but then
   * the request has a fault and nothing uses the end.
   */
  private SentMeta meta(int payloadStart) throws IOException {
    int start = tokenStart() - payloadStart;
    parser.nextToken();
    Meta meta = new Meta(fields.isObject(META, META_RULE) ? strings() : Map.of());
    return new SentMeta(meta, start, tokenStart() - payloadStart + 1);
  }

  private Map<String, String> strings() throws IOException {
    Map<String, String> strings = new LinkedHashMap<>();
    Set<String> names = new HashSet<>();
    Json.readMembers(
        parser,
        name -> {
          if (!names.add(name)) {
            throw new FieldReader.DuplicateName("_meta has a member twice", parser);
          }
          if (parser.currentToken() == JsonToken.VALUE_STRING) {
            strings.put(name, parser.getText());
          } else {
            fields.fault(Fault.pointer(META, name), "a string, as every value in _meta");
            parser.skipChildren();
          }
        });
    return strings;
  }

  private int tokenStart() {
    return (int) parser.currentTokenLocation().getCharOffset();
  }
}
