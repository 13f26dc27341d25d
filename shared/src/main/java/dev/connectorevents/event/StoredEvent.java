package dev.connectorevents.event;

import java.util.UUID;

/**
 * An event as a reader gets it.
 *
 * @param userId the user whose connector sent it
 * @param payload the stored text, byte for byte
 */
public record StoredEvent(WebhookEvent event, UUID userId, String payload) {}
