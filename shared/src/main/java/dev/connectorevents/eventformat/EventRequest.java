package dev.connectorevents.eventformat;

import dev.connectorevents.event.Delivery;
import dev.connectorevents.event.EventType;
import dev.connectorevents.event.Fingerprint;
import dev.connectorevents.event.IdempotencyKey;
import dev.connectorevents.event.SentPayload;
import dev.connectorevents.http.BodyReader;
import dev.connectorevents.http.Fault;
import dev.connectorevents.http.Request;
import java.util.List;
import java.util.Optional;

/**
 * The body of a request to store an event, checked by the table of fields in {@code docs/api.md}.
 */
public sealed interface EventRequest {

  /** One JSON object, checked by the rules. */
  sealed interface Checked extends EventRequest {}

  /**
   * All rules hold.
   *
   * @param idempotencyKey the member of that name, or the header of a single event
   */
  record Valid(
      EventType type,
      SentPayload payload,
      Delivery delivery,
      Optional<IdempotencyKey> idempotencyKey)
      implements Checked {

    /** The fingerprint that every retry of this request has. */
    public Fingerprint fingerprint() {
      return Fingerprint.of(type, delivery.connectorInstallationId(), payload);
    }
  }

  /**
   * The body is well-formed JSON, but breaks rules.
   *
   * @param faults all of them
   */
  record Invalid(List<Fault> faults) implements Checked {

    public Invalid {
      faults = List.copyOf(faults);
    }
  }

  /**
   * The body is not one JSON object, is nested too deep, or has a name twice.
   *
   * @param detail what is wrong and where; quotes nothing of what was sent
   */
  record Malformed(String detail) implements EventRequest {}

  /**
   * Reads and checks a request's body.
   *
   * @param header the key in the header {@code Idempotency-Key}
   */
  static EventRequest of(Request request, Optional<IdempotencyKey> header) {
    return request
        .text()
        .map(text -> read(text, header))
        .orElseGet(() -> new Malformed(BodyReader.NOT_UTF_8));
  }

  /** As {@link #of}, of a well-formed text and without the header. */
  static EventRequest read(String text) {
    return read(text, Optional.empty());
  }

  private static EventRequest read(String text, Optional<IdempotencyKey> header) {
    return BodyReader.read(
        text,
        "{\"event_type\": …, \"payload\": {…}}",
        parser -> EventReader.ofOneEvent(text, parser, header).read(),
        Malformed::new);
  }
}
