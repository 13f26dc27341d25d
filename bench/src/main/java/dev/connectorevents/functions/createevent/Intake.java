package dev.connectorevents.functions.createevent;

import dev.connectorevents.event.EventIds;
import dev.connectorevents.event.Events;
import dev.connectorevents.event.IdempotencyKey;
import dev.connectorevents.event.StoreOutcome;
import dev.connectorevents.http.EventRequest;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.NullMarked;

/** Takes a request as the function does; in this package, since nobody else may. */
@NullMarked
public record Intake(Events events) {

  /**
   * Stores the event of a request with that body.
   *
   * @throws IllegalArgumentException if the service would refuse it, saying why
   */
  public StoreOutcome take(String body, Optional<IdempotencyKey> key) {
    return switch (EventRequest.read(body)) {
      case EventRequest.Valid valid ->
          new CreateEvent(
                  events, new EventIds(Clock.systemUTC(), new SecureRandom()), Clock.systemUTC())
              .create(valid, UUID.randomUUID(), key);
      case EventRequest.Invalid(var faults) ->
          throw new IllegalArgumentException(faults.toString());
      case EventRequest.Malformed(var detail) -> throw new IllegalArgumentException(detail);
    };
  }
}
