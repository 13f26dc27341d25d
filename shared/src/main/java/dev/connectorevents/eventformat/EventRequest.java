package dev.connectorevents.eventformat;

import dev.connectorevents.event.Delivery;
import dev.connectorevents.event.EventType;
import dev.connectorevents.event.Fingerprint;
import dev.connectorevents.event.IdempotencyKey;
import dev.connectorevents.event.SentPayload;
import dev.connectorevents.http.Request;
import dev.connectorevents.json.Body;
import dev.connectorevents.json.BodyReader;
import java.util.Optional;

/**
 * A request to store an event, checked by the table of fields in {@code docs/api.md}.
 *
 * @param idempotencyKey the member of that name, or the header of a single event
 */
public record EventRequest(
    EventType type,
    SentPayload payload,
    Delivery delivery,
    Optional<IdempotencyKey> idempotencyKey) {

  private static final String EXAMPLE = "{\"event_type\": …, \"payload\": {…}}";

  private static final String IN_ARRAY =
      "; several events go to POST /api/webhook-events/batch, as in {\"events\": [{…}]}";

  /**
   * Reads and checks a request's body.
   *
   * @param header the key in the header {@code Idempotency-Key}
   */
  public static Body<EventRequest> of(Request request, Optional<IdempotencyKey> header) {
    return BodyReader.read(
        request,
        EXAMPLE,
        IN_ARRAY,
        (text, parser) -> EventReader.ofOneEvent(text, parser, header).read());
  }

  /** As {@link #of}, of a well-formed text and without the header. */
  public static Body<EventRequest> read(String text) {
    return BodyReader.read(
        text,
        EXAMPLE,
        (_, parser) -> EventReader.ofOneEvent(text, parser, Optional.empty()).read());
  }

  /** The fingerprint that every retry of this request has. */
  public Fingerprint fingerprint() {
    return Fingerprint.of(type, delivery.connectorInstallationId(), payload);
  }
}
