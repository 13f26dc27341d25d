package dev.connectorevents.functions.findmissing;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.connectorevents.event.IdempotencyKey;
import dev.connectorevents.http.Request;
import dev.connectorevents.json.Body;
import dev.connectorevents.json.BodyReader;
import dev.connectorevents.json.FieldReader;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request that asks for missing keys.
 *
 * @param keys in the order sent; a key may stand here twice
 */
public record FindMissingRequest(List<IdempotencyKey> keys) {

  /** Most keys of one request: as many as one call to DynamoDB reads. */
  public static final int MAX_KEYS = 100;

  public FindMissingRequest {
    keys = List.copyOf(keys);
  }

  /** Reads and checks a request's body. */
  static Body<FindMissingRequest> of(Request request) {
    return BodyReader.read(
        request, "{\"idempotency_keys\": [\"…\"]}", (_, parser) -> new KeysReader(parser).read());
  }

  /** Reads the keys in one pass over the request's text. */
  private static final class KeysReader {

    private static final String NAME = "idempotency_keys";
    private static final String RULE =
        "an array of 1 to "
            + MAX_KEYS
            + " keys, each a string: the Idempotency-Key of an event, not its id";

    private final JsonParser parser;
    private final FieldReader fields;
    private @Nullable List<IdempotencyKey> keys;

    KeysReader(JsonParser parser) {
      this.parser = parser;
      this.fields = new FieldReader(parser);
    }

    Body.Checked<FindMissingRequest> read() throws IOException {
      fields.readMembers(this::readMember);
      fields.require(NAME, keys, RULE);
      return keys == null || !fields.faults().isEmpty()
          ? new Body.Invalid<>(fields.faults())
          : new Body.Read<>(new FindMissingRequest(keys));
    }

    private void readMember(String name) throws IOException {
      if (name.equals(NAME)) {
        keys = fields.array(RULE, MAX_KEYS, this::readKey);
      } else {
        parser.skipChildren();
      }
    }

    private @Nullable IdempotencyKey readKey(String pointer) throws IOException {
      Optional<IdempotencyKey> key =
          parser.currentToken() == JsonToken.VALUE_STRING
              ? IdempotencyKey.parse(parser.getText())
              : Optional.empty();
      if (key.isEmpty()) {
        fields.fault(pointer, "a key: " + IdempotencyKey.RULE);
      }
      return key.orElse(null);
    }
  }
}
