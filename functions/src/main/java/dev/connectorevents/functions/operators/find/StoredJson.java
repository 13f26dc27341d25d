package dev.connectorevents.functions.operators.find;

import dev.connectorevents.erasure.ErasableEvent;
import dev.connectorevents.erasure.ErasableEvents;
import dev.connectorevents.event.Timestamp;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** What is stored under an id, without the payload. */
final class StoredJson {

  private StoredJson() {}

  /** The answer: without a member if nothing is stored. */
  static Map<String, Object> answer(UUID id, ErasableEvents events) {
    Map<String, Object> members = new LinkedHashMap<>();
    switch (events.stored(id).orElse(null)) {
      case null -> {
        return Map.of();
      }
      case ErasableEvents.Stored.OfEvent(
              ErasableEvent event,
              int items,
              Optional<Instant> until) -> {
        members.put("event_type", event.type().value());
        members.put("user_id", event.userId().toString());
        members.put("created_at", Timestamp.of(event.createdAt()));
        members.put("has_brand", event.brand().isPresent());
        size(event, events).ifPresent(bytes -> members.put("bytes", bytes));
        members.put("items", items);
        until.ifPresent(time -> members.put("expires_at", Timestamp.of(time)));
      }
      case ErasableEvents.Stored.OfTombstone(Instant at, UUID erasure, Optional<Instant> until) -> {
        members.put("erased_at", Timestamp.of(at));
        members.put("erasure_id", erasure.toString());
        until.ifPresent(time -> members.put("expires_at", Timestamp.of(time)));
      }
    }
    return Map.of("event", members);
  }

  /** The payload's bytes as text; empty if it is damaged, or the event was replaced meanwhile. */
  private static Optional<Long> size(ErasableEvent event, ErasableEvents events) {
    try {
      Optional<InputStream> payload = events.payload(event);
      if (payload.isEmpty()) {
        return Optional.empty();
      }
      try (InputStream bytes = payload.get()) {
        return Optional.of(bytes.transferTo(OutputStream.nullOutputStream()));
      }
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
