package dev.connectorevents.event;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An event as its creator gets to see it: everything but the payload.
 *
 * @param attempts how often the connector tried before
 * @param createdAt when the service took it, in whole milliseconds
 */
public record WebhookEvent(
    UUID id,
    EventType type,
    @Nullable Long connectorInstallationId,
    @Nullable String status,
    @Nullable String response,
    @Nullable Integer attempts,
    @Nullable Instant sentAt,
    @Nullable Instant nextRetryAt,
    Instant createdAt) {}
