package dev.connectorevents.event;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;

/**
 * An event without its payload, as its creator gets it back.
 *
 * @param id with an idempotency key, a UUID of version 8 derived from it; without one, a UUID of
 *     version 7
 * @param type the provider and the topic
 * @param delivery what the connector said of its delivery; each member may be absent
 * @param createdAt when the service made the event, in whole milliseconds
 */
public record WebhookEvent(UUID id, EventType type, Delivery delivery, Instant createdAt) {

  public WebhookEvent {
    if (!createdAt.equals(createdAt.truncatedTo(ChronoUnit.MILLIS))) {
      throw new IllegalArgumentException("createdAt has a fraction of a millisecond");
    }
  }
}
