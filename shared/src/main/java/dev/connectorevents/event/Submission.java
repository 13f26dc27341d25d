package dev.connectorevents.event;

import java.util.Optional;
import java.util.UUID;

/**
 * An event on its way into the store.
 *
 * @param userId whose event it is
 * @param fingerprint of the request that brought it, where another one could come under its id
 */
public record Submission(
    WebhookEvent event, Payload payload, UUID userId, Optional<Fingerprint> fingerprint) {}
