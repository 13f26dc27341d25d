package dev.connectorevents.event;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An event as its creator gets to see it: everything but the payload.
 *
 * @param id a UUID of version 7, or of version 8 under an {@code Idempotency-Key}
 * @param connectorInstallationId not negative
 * @param status free text of at most 255 characters
 * @param response at most 64 KiB in UTF-8
 * @param attempts how often the connector tried before; not negative
 * @param sentAt when the connector sent the event, to the nanosecond
 * @param nextRetryAt when the connector means to try again, to the nanosecond
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
