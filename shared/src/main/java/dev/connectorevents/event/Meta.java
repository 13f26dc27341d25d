package dev.connectorevents.event;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The object {@code _meta} that a payload brought: what lets an event be traced and resolved.
 *
 * @param values copied, in their order
 */
public record Meta(Map<String, String> values) {

  /** Of a payload that brought none. */
  static final Meta NONE = new Meta(Map.of());

  public Meta {
    // Not Map.copyOf: it slows down badly on names that collide, and a sender chooses these.
    values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }

  /** The brand that the event is about, for events that resolve to one. */
  public Optional<String> brandId() {
    return Optional.ofNullable(values.get("brand_id"));
  }

  /** The text of the {@code _meta} that the service appends to a payload without one. */
  static String generated(EventType type, UUID requestId, Instant receivedAt) {
    // None of the four can hold a character that JSON would want escaped.
    return """
    {"source":"%s","topic":"%s","request_id":"%s","received_at":"%s"}\
    """
        .formatted(type.provider(), type.topic(), requestId, receivedAt);
  }
}
