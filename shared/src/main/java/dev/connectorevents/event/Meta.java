package dev.connectorevents.event;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The object {@code _meta} that a client sent in a payload: readers trace and resolve events by it.
 *
 * @param values the members in their order; copied
 */
public record Meta(Map<String, String> values) {

  /** For a payload that was sent without {@code _meta}. */
  static final Meta NONE = new Meta(Map.of());

  public Meta {
    // Not Map.copyOf: it is slow if the names' hashes collide, and the sender chooses the names.
    values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }

  /** The brand that the event is about, if {@code _meta} names one. */
  public Optional<String> brandId() {
    return Optional.ofNullable(values.get("brand_id"));
  }

  /** The text of the {@code _meta} that the service appends to a payload without one. */
  static String generated(EventType type, UUID requestId, Instant receivedAt) {
    // None of the four values can contain a character that JSON must escape.
    return """
    {"source":"%s","topic":"%s","request_id":"%s","received_at":"%s"}\
    """
        .formatted(type.provider(), type.topic(), requestId, Timestamp.of(receivedAt));
  }
}
