package dev.connectorevents.functions.createevent;

import dev.connectorevents.bench.RequestBody;
import dev.connectorevents.event.EventIds;
import dev.connectorevents.event.Events;
import dev.connectorevents.event.StoreOutcome;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.NullMarked;

/** Takes a payload as the function does; in this package, since nobody else may. */
@NullMarked
public record Intake(Events events) {

  /**
   * Stores an event with that payload.
   *
   * @throws IllegalArgumentException if the service would refuse it, saying why
   */
  public StoreOutcome take(String eventType, String payload) {
    String body = RequestBody.around(eventType, payload);
    return switch (CreateEventRequest.of(body)) {
      case CreateEventRequest.Valid valid ->
          new CreateEvent(
                  events, new EventIds(Clock.systemUTC(), new SecureRandom()), Clock.systemUTC())
              .create(valid, body, UUID.randomUUID(), Optional.empty());
      case CreateEventRequest.Invalid(var faults) ->
          throw new IllegalArgumentException(faults.toString());
      case CreateEventRequest.Malformed(var detail) -> throw new IllegalArgumentException(detail);
    };
  }
}
