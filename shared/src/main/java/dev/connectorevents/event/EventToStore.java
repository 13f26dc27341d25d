package dev.connectorevents.event;

import java.util.Optional;
import java.util.UUID;

/**
 * All that {@link Events} needs to store an event once.
 *
 * @param event the event without its payload
 * @param payload the payload to store
 * @param userId the user who sent the event
 * @param fingerprint of an event with an {@code Idempotency-Key}; empty without one, since no other
 *     event can then have the same id
 */
public record EventToStore(
    WebhookEvent event, Payload payload, UUID userId, Optional<Fingerprint> fingerprint) {}
