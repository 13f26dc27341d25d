package dev.connectorevents.event;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * All that {@link Events} needs to store an event once.
 *
 * @param id with which the event is found again
 * @param type the provider and the topic
 * @param delivery what the connector said of its delivery
 * @param payload the payload to store
 * @param userId the user who sent the event
 * @param fingerprint of an event with an {@code Idempotency-Key}; empty without one, since no other
 *     event can then have the same id
 */
public record EventToStore(
    UUID id,
    EventType type,
    Delivery delivery,
    Payload payload,
    UUID userId,
    Optional<Fingerprint> fingerprint,
    Instant createdAt) {

  public WebhookEvent event() {
    return new WebhookEvent(id, type, delivery, createdAt);
  }
}
