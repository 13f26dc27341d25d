package dev.connectorevents.functions.findmissing;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.connectorevents.event.IdempotencyKey;
import dev.connectorevents.http.FieldReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the keys in one pass over the request's text. */
final class FindMissingReader {

  private static final String NAME = "idempotency_keys";
  private static final String POINTER = "/" + NAME;
  private static final String RULE =
      "an array of 1 to " + FindMissingRequest.MAX_KEYS + " keys, each a string";

  private final JsonParser parser;
  private final FieldReader fields;
  private @Nullable List<IdempotencyKey> keys;

  FindMissingReader(JsonParser parser) {
    this.parser = parser;
    this.fields = new FieldReader(parser);
  }

  /**
   * Reads the object whose start was just read.
   *
   * @throws IOException if the text is not JSON, or has a name twice
   */
  FindMissingRequest read() throws IOException {
    fields.readMembers(this::readMember);
    fields.require(NAME, keys, RULE);
    return keys == null || !fields.faults().isEmpty()
        ? new FindMissingRequest.Invalid(fields.faults())
        : new FindMissingRequest.Valid(keys);
  }

  private void readMember(String name) throws IOException {
    if (!name.equals(NAME)) {
      parser.skipChildren();
    } else if (parser.currentToken() == JsonToken.START_ARRAY) {
      keys = readKeys();
    } else {
      fields.fault(POINTER, RULE);
      parser.skipChildren();
    }
  }

  /** Counts keys that are too many, but does not keep them. */
  private List<IdempotencyKey> readKeys() throws IOException {
    List<IdempotencyKey> read = new ArrayList<>();
    int count = 0;
    for (; parser.nextToken() != JsonToken.END_ARRAY; count++) {
      if (count < FindMissingRequest.MAX_KEYS) {
        readKey(POINTER + "/" + count).ifPresent(read::add);
      }
      parser.skipChildren();
    }
    if (count == 0 || count > FindMissingRequest.MAX_KEYS) {
      fields.fault(POINTER, RULE + "; there are " + count);
    }
    return read;
  }

  private Optional<IdempotencyKey> readKey(String pointer) throws IOException {
    Optional<IdempotencyKey> key =
        parser.currentToken() == JsonToken.VALUE_STRING
            ? IdempotencyKey.parse(parser.getText())
            : Optional.empty();
    if (key.isEmpty()) {
      fields.fault(pointer, "a key: " + IdempotencyKey.RULE);
    }
    return key;
  }
}
