package dev.connectorevents.functions.createevent;

import dev.connectorevents.event.EventIds;
import dev.connectorevents.event.EventToStore;
import dev.connectorevents.event.IdempotencyKey;
import dev.connectorevents.event.Payload;
import dev.connectorevents.eventformat.EventRequest;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.UUID;

/**
 * Makes the event to store of a request: gives it its id and its time, and a {@code _meta} if it
 * was sent without one.
 */
final class NewEvents {

  private final EventIds ids;
  private final Clock clock;

  NewEvents(EventIds ids, Clock clock) {
    this.ids = ids;
    this.clock = clock;
  }

  /** The event that a user has sent. */
  EventToStore of(EventRequest request, UUID userId) {
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
