package dev.connectorevents.event;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The object {@code _meta} of a payload: readers trace and resolve events by it.
 *
 * @param values the members in their order; copied
 */
public record Meta(Map<String, String> values) {

  public Meta {
    // Not Map.copyOf: it is slow if the names' hashes collide, and the sender chooses the names.
    values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }

  /** The brand that the event is about, if {@code _meta} names one. */
  public Optional<String> brandId() {
    return Optional.ofNullable(values.get("brand_id"));
  }

  /** The id by which people trace the event, if {@code _meta} has one. */
  public Optional<String> requestId() {
    return Optional.ofNullable(values.get("request_id"));
  }

  /** The {@code _meta} that the service appends to a payload without one. */
  static Meta generated(EventType type, UUID requestId, Instant receivedAt) {
    Map<String, String> values = new LinkedHashMap<>();
    values.put("source", type.provider());
    values.put("topic", type.topic());
    values.put("request_id", requestId.toString());
    values.put("received_at", Timestamp.of(receivedAt));
    return new Meta(values);
  }

  /**
   * The JSON of a {@link #generated} one. None of its names and values can contain a character that
   * JSON must escape.
   */
  String generatedText() {
    // No stream: the first request after a restore would load its classes.
    StringBuilder text = new StringBuilder();
    for (Map.Entry<String, String> member : values.entrySet()) {
      text.append(text.isEmpty() ? "{\"" : ",\"");
      text.append(member.getKey()).append("\":\"").append(member.getValue()).append('"');
    }
    return text.append('}').toString();
  }
}
