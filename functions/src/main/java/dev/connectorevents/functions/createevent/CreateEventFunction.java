package dev.connectorevents.functions.createevent;

import dev.connectorevents.access.Caller;
import dev.connectorevents.access.Guard;
import dev.connectorevents.event.EventIds;
import dev.connectorevents.event.EventToStore;
import dev.connectorevents.event.Events;
import dev.connectorevents.event.IdempotencyKey;
import dev.connectorevents.event.StoreOutcome;
import dev.connectorevents.event.WebhookEvent;
import dev.connectorevents.eventformat.EventRequest;
import dev.connectorevents.functions.snapshot.RehearsalScript;
import dev.connectorevents.functions.snapshot.RehearsedFunction;
import dev.connectorevents.functions.wiring.Wiring;
import dev.connectorevents.http.Handler;
import dev.connectorevents.http.ProblemCode;
import dev.connectorevents.http.Reason;
import dev.connectorevents.http.Request;
import dev.connectorevents.http.Response;
import dev.connectorevents.json.Body;
import dev.connectorevents.user.Role;
import java.util.Map;
import java.util.Optional;

/** Stores the event of a request. */
public final class CreateEventFunction extends RehearsedFunction {

  public CreateEventFunction() {
    this(System.getenv());
  }

  public CreateEventFunction(Map<String, String> environment) {
    super(environment, CreateEventFunction::handler, RehearsalScript::event);
  }

  /** Handles the route's requests with parts of this wiring. */
  public static Handler handler(Wiring wiring) {
    return handler(
        wiring.guardOfCachedUsers(),
        new NewEvents(new EventIds(wiring.clock(), wiring.random()), wiring.clock()),
        wiring.events());
  }

  static Handler handler(Guard guard, NewEvents newEvents, Events events) {
    return guard.protect(
        Role.CONNECTOR, (request, caller) -> handle(newEvents, events, request, caller));
  }

  private static Response handle(
      NewEvents newEvents, Events events, Request request, Caller caller) {
    Optional<String> header = request.header("idempotency-key");
    Optional<IdempotencyKey> key = header.flatMap(IdempotencyKey::parse);
    if (key.isPresent() != header.isPresent()) {
      return EventResponse.refused(
          request,
          new Reason(
              ProblemCode.VALIDATION_FAILED,
              "Idempotency-Key must be " + IdempotencyKey.RULE + "."));
    }
    return switch (EventRequest.of(request, key)) {
      case Body.Read<EventRequest>(EventRequest sent) when !caller.mayUse(sent.type()) ->
          EventResponse.refused(request, sent, caller.outOfScope(sent.type()));
      case Body.Read<EventRequest>(EventRequest sent) ->
          stored(sent, newEvents.of(sent, caller.user().id()), events, request, caller);
      case Body.Invalid<EventRequest> invalid ->
          EventResponse.refused(request, invalid.reason()).noting(EventResponse.named(invalid));
      case Body.Refused<?> refused -> EventResponse.refused(request, refused.reason());
    };
  }

  private static Response stored(
      EventRequest sent, EventToStore toStore, Events events, Request request, Caller caller) {
    return switch (events.store(toStore)) {
      case StoreOutcome.Stored(WebhookEvent event) ->
          EventResponse.stored(event, toStore.payload().meta().requestId(), caller);
      // A replay stores no payload, so a request_id that the service made is nowhere.
      case StoreOutcome.Replayed(WebhookEvent first) ->
          EventResponse.replayed(first, sent.payload().requestId());
      case StoreOutcome.Refused refused -> EventResponse.refused(request, sent, refused, caller);
    };
  }
}
