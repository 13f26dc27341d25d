package dev.connectorevents.functions.findmissing;

import dev.connectorevents.event.IdempotencyKey;
import dev.connectorevents.http.BodyReader;
import dev.connectorevents.http.Fault;
import dev.connectorevents.http.Request;
import java.util.List;

/** The body of a request that asks for missing keys. */
public sealed interface FindMissingRequest {

  /** Most keys of one request: as many as one call to DynamoDB reads. */
  int MAX_KEYS = 100;

  /**
   * Keys that all keep the rule.
   *
   * @param keys in the order sent; a key may stand here twice
   */
  record Valid(List<IdempotencyKey> keys) implements FindMissingRequest {

    public Valid {
      keys = List.copyOf(keys);
    }
  }

  /** The body is well-formed JSON, but not a list of keys. */
  record Invalid(List<Fault> faults) implements FindMissingRequest {

    public Invalid {
      faults = List.copyOf(faults);
    }
  }

  /**
   * The body is not one JSON object.
   *
   * @param detail what is wrong and where; quotes nothing of what was sent
   */
  record Malformed(String detail) implements FindMissingRequest {}

  /** Reads and checks a request's body. */
  static FindMissingRequest of(Request request) {
    return request
        .text()
        .map(FindMissingRequest::read)
        .orElseGet(() -> new Malformed(BodyReader.NOT_UTF_8));
  }

  private static FindMissingRequest read(String text) {
    return BodyReader.read(
        text,
        "{\"idempotency_keys\": [\"…\"]}",
        parser -> new FindMissingReader(parser).read(),
        Malformed::new);
  }
}
