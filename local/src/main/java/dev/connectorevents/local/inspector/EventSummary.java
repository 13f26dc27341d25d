package dev.connectorevents.local.inspector;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * What a request says of its event. Of a batch: all types and all brands, parted by commas.
 *
 * @param brand {@code brand_id} of the payload's {@code _meta}
 * @param key of the header {@code Idempotency-Key}, or of the body; null for a batch
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record EventSummary(@Nullable String type, @Nullable String brand, @Nullable String key) {}
