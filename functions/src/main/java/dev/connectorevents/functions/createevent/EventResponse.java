package dev.connectorevents.functions.createevent;

import dev.connectorevents.event.WebhookEvent;
import dev.connectorevents.http.EventJson;
import dev.connectorevents.http.Response;

/** The answer to a stored event: the event without its payload. */
final class EventResponse {

  private EventResponse() {}

  static Response created(WebhookEvent event) {
    return Response.json(201, EventJson.members(event))
        .with("Location", "/api/webhook-events/" + event.id())
        .noting("event_id", event.id().toString());
  }
}
