package dev.connectorevents.functions.createevent;

import dev.connectorevents.event.WebhookEvent;
import dev.connectorevents.http.Response;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The answer to a stored event: the event without its payload. */
final class EventResponse {

  private EventResponse() {}

  static Response created(WebhookEvent event) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("id", event.id().toString());
    body.put("event_type", event.type().value());
    putIfPresent(body, "connector_installation_id", event.connectorInstallationId());
    putIfPresent(body, "status", event.status());
    putIfPresent(body, "response", event.response());
    putIfPresent(body, "attempts", event.attempts());
    putIfPresent(body, "sent_at", event.sentAt());
    putIfPresent(body, "next_retry_at", event.nextRetryAt());
    body.put("created_at", event.createdAt().toString());
    return Response.json(201, body)
        .with("Location", "/api/webhook-events/" + event.id())
        .noting("event_id", event.id().toString());
  }

  private static void putIfPresent(Map<String, Object> body, String name, @Nullable Object value) {
    if (value != null) {
      body.put(name, value instanceof Number ? value : value.toString());
    }
  }
}
