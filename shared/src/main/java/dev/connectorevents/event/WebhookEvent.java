package dev.connectorevents.event;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An event without its payload, as its creator gets it back. A null field was not sent. The fields
 * and their rules are those of {@code docs/api.md}.
 *
 * @param id a UUID of version 7, or of version 8 under an {@code Idempotency-Key}
 * @param type the provider and the topic
 * @param connectorInstallationId the connector's number of its installation; not negative
 * @param status free text of at most 255 characters
 * @param response at most 64 KiB in UTF-8
 * @param attempts how often the connector has tried before; not negative
 * @param sentAt when the connector sent the event; has nanoseconds
 * @param nextRetryAt when the connector will try again; has nanoseconds
 * @param createdAt when the service received the event, in whole milliseconds
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
