package dev.connectorevents.functions.createevent;

import dev.connectorevents.event.EventIds;
import dev.connectorevents.event.EventToStore;
import dev.connectorevents.event.Events;
import dev.connectorevents.event.IdempotencyKey;
import dev.connectorevents.event.Payload;
import dev.connectorevents.event.StoreOutcome;
import dev.connectorevents.eventformat.EventRequest;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.UUID;

/** Gives an event its id, and a {@code _meta} if it was sent without one, and stores it. */
final class CreateEvent {

  private final Events events;
  private final EventIds ids;
  private final Clock clock;

  CreateEvent(Events events, EventIds ids, Clock clock) {
    this.events = events;
    this.ids = ids;
    this.clock = clock;
  }

  StoreOutcome.Known store(EventToStore toStore) {
    return events.store(toStore);
  }

  /** The event with its id, its time and its {@code _meta}, ready to be stored. */
  EventToStore toStore(EventRequest request, UUID userId) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    Optional<IdempotencyKey> idempotencyKey = request.idempotencyKey();
    return new EventToStore(
        idempotencyKey.map(key -> EventIds.of(userId, key)).orElseGet(ids::next),
        request.type(),
        request.delivery(),
        Payload.of(request.payload(), request.type(), UUID::randomUUID, now),
        userId,
        idempotencyKey.map(key -> request.fingerprint()),
        now);
  }
}
