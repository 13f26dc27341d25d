package dev.connectorevents.event;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the text of a create request in one pass: decodes its members, and cuts the payload out of
 * the text instead of parsing it and writing it again.
 */
final class EnvelopeReader {

  /** The deepest nesting accepted, the request's own braces included. */
  static final int MAX_DEPTH = 1_000;

  // A provider's numbers and names are its own affair: only the depth is limited. Names are not
  // cached, since a sender could fill the cache with names that collide.
  private static final JsonFactory JSON =
      new JsonFactoryBuilder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .build())
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .build();

  private static final class Duplicate extends IOException {
    private static final long serialVersionUID = 1;

    Duplicate(String where) {
      super(where);
    }
  }

  private final String text;
  private final JsonParser parser;

  private EnvelopeReader(String text, JsonParser parser) {
    this.text = text;
    this.parser = parser;
  }

  static Envelope read(String text) {
    try (JsonParser parser = JSON.createParser(text)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return new Envelope.Malformed("The body must be a JSON object.");
      }
      Map<String, Value> members = new EnvelopeReader(text, parser).envelope();
      return parser.nextToken() == null
          ? new Envelope.Read(members)
          : new Envelope.Malformed("Something follows the JSON object.");
    } catch (Duplicate e) {
      return new Envelope.Malformed("A name appears twice in " + e.getMessage() + ".");
    } catch (StreamConstraintsException e) {
      return new Envelope.Malformed("The body is nested deeper than " + MAX_DEPTH + " levels.");
    } catch (JsonProcessingException e) {
      return new Envelope.Malformed(
          "The body is not valid JSON: line %d, column %d."
              .formatted(e.getLocation().getLineNr(), e.getLocation().getColumnNr()));
    } catch (IOException e) {
      throw new UncheckedIOException("reading from memory", e);
    }
  }

  private Map<String, Value> envelope() throws IOException {
    Map<String, Value> members = new LinkedHashMap<>();
    Set<String> names = new HashSet<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      if (!names.add(name)) {
        throw new Duplicate("the body");
      }
      JsonToken first = parser.nextToken();
      boolean isPayload = name.equals("payload") && first == JsonToken.START_OBJECT;
      if (first != JsonToken.VALUE_NULL) {
        members.put(name, isPayload ? payload() : value(first));
      }
    }
    return members;
  }

  private Value.Cut payload() throws IOException {
    int start = tokenStart();
    boolean isEmpty = true;
    Value.MetaMember meta = null;
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      isEmpty = false;
      if (!parser.currentName().equals("_meta")) {
        parser.nextToken();
        parser.skipChildren();
      } else if (meta == null) {
        meta = metaMember(start);
      } else {
        throw new Duplicate("payload, namely _meta");
      }
    }
    return new Value.Cut(text.substring(start, tokenStart() + 1), isEmpty, meta);
  }

  private Value.MetaMember metaMember(int payloadStart) throws IOException {
    int start = tokenStart() - payloadStart;
    JsonToken first = parser.nextToken();
    Value value = first == JsonToken.START_OBJECT ? meta() : value(first);
    // Behind the brace: a value that is no object breaks a rule, and its end is never asked for.
    return new Value.MetaMember(value, start, tokenStart() - payloadStart + 1);
  }

  private int tokenStart() {
    return (int) parser.currentTokenLocation().getCharOffset();
  }

  private Value.Members meta() throws IOException {
    Map<String, Value> values = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      if (values.put(name, value(parser.nextToken())) != null) {
        throw new Duplicate("payload._meta");
      }
    }
    return new Value.Members(values);
  }

  private Value value(@Nullable JsonToken first) throws IOException {
    if (first == JsonToken.VALUE_STRING) {
      return new Value.Text(parser.getText());
    }
    if (first == JsonToken.VALUE_NUMBER_INT) {
      return new Value.Whole(parser.getText());
    }
    parser.skipChildren();
    return new Value.Other();
  }
}
