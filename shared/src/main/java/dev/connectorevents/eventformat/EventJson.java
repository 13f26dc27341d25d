package dev.connectorevents.eventformat;

import dev.connectorevents.Json;
import dev.connectorevents.event.Delivery;
import dev.connectorevents.event.FeedPosition;
import dev.connectorevents.event.ListEntry;
import dev.connectorevents.event.StoredEvent;
import dev.connectorevents.event.Timestamp;
import dev.connectorevents.event.WebhookEvent;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** An event as a JSON object, in the order of {@code docs/api.md}. */
public final class EventJson {

  private EventJson() {}

  /** For the connector that sent the event. */
  public static Map<String, Object> members(WebhookEvent event) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("id", event.id().toString());
    members.put("event_type", event.type().value());
    event
        .delivery()
        .forEach(
            (name, value) -> members.put(name, value instanceof Number ? value : value.toString()));
    members.put("created_at", Timestamp.of(event.createdAt()));
    return members;
  }

  /** For the connector, in the answer to a batch: a hundred times {@code response} is too long. */
  public static Map<String, Object> membersInBatch(WebhookEvent event) {
    Map<String, Object> members = members(event);
    members.remove(Delivery.RESPONSE);
    return members;
  }

  /** For a consumer. */
  private static Map<String, Object> members(WebhookEvent event, UUID userId) {
    Map<String, Object> members = members(event);
    members.put("user_id", userId.toString());
    return members;
  }

  /** The whole event, with its payload as the last member: byte for byte, not written again. */
  public static String text(StoredEvent stored) {
    return withPayload(members(stored.event(), stored.userId()), stored.payload());
  }

  /**
   * An entry of a list. It lacks the provider's {@code response}: that may have 64 KB, and a page a
   * hundred events.
   */
  public static String text(ListEntry entry, boolean hasPayloads) {
    return switch (entry) {
      case ListEntry.OfEvent(
              Optional<FeedPosition> position,
              WebhookEvent event,
              UUID userId,
              Optional<String> payload) -> {
        Map<String, Object> members = new LinkedHashMap<>();
        position.ifPresent(it -> put(members, it));
        members.putAll(members(event, userId));
        members.remove(Delivery.RESPONSE);
        if (payload.isPresent()) {
          yield withPayload(members, payload.get());
        }
        if (hasPayloads) {
          members.put("payload_at", "/api/webhook-events/" + event.id() + "/payload");
        }
        yield Json.write(members);
      }
      case ListEntry.OfErasure(FeedPosition position, UUID id, Instant erasedAt) -> {
        Map<String, Object> members = new LinkedHashMap<>();
        put(members, position);
        members.put("id", id.toString());
        members.put("erased_at", Timestamp.of(erasedAt));
        yield Json.write(members);
      }
    };
  }

  private static void put(Map<String, Object> members, FeedPosition position) {
    members.put("position", position.number());
    members.put("numbered_at", Timestamp.of(position.numberedAt()));
  }

  private static String withPayload(Map<String, Object> members, String payload) {
    String text = Json.write(members);
    return text.substring(0, text.length() - 1) + ",\"payload\":" + payload + "}";
  }
}
