package dev.connectorevents.functions.createevent;

import dev.connectorevents.event.StoreOutcome;
import dev.connectorevents.event.WebhookEvent;
import dev.connectorevents.eventformat.EventJson;
import dev.connectorevents.http.Json;
import dev.connectorevents.http.ProblemCode;
import dev.connectorevents.http.Reason;
import dev.connectorevents.http.Response;
import java.util.Map;

/** The answer to a stored event, which is the event without its payload, and to a refused one. */
final class EventResponse {

  private EventResponse() {}

  static Response created(WebhookEvent event) {
    String id = event.id().toString();
    return new Response(
        201,
        Map.of("Content-Type", "application/json", "Location", "/api/webhook-events/" + id),
        Json.write(EventJson.members(event)),
        false,
        Map.of("event_id", id));
  }

  static Reason reason(StoreOutcome.Refused refused) {
    return switch (refused) {
      case StoreOutcome.KeyReused() ->
          new Reason(
              ProblemCode.IDEMPOTENCY_KEY_REUSED,
              "Another event is stored under this Idempotency-Key. A retry repeats the event type,"
                  + " the installation and the payload; another event needs a key of its own.");
      case StoreOutcome.Erased() ->
          new Reason(
              ProblemCode.EVENT_ERASED,
              "An operator erased the event under this Idempotency-Key. The key stays refused: do not"
                  + " retry.");
      case StoreOutcome.TooLarge(long bytes, long limit) ->
          new Reason(
              ProblemCode.PAYLOAD_TOO_LARGE,
              "The event takes %d bytes compressed; at most %d can be stored. Send less in one event."
                  .formatted(bytes, limit));
    };
  }
}
