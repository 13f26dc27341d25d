package dev.connectorevents.event;

import java.time.Instant;
import java.util.UUID;

/**
 * An event without its payload, as its creator gets it back.
 *
 * @param id a UUID of version 7, or of version 8 under an {@code Idempotency-Key}
 * @param type the provider and the topic
 * @param createdAt when the service received the event, in whole milliseconds
 */
public record WebhookEvent(UUID id, EventType type, Delivery delivery, Instant createdAt) {}
