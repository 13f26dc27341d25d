package dev.connectorevents.functions.createevent;

import dev.connectorevents.access.Caller;
import dev.connectorevents.access.Guard;
import dev.connectorevents.event.EventIds;
import dev.connectorevents.eventformat.BatchRequest;
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
import java.util.List;
import java.util.Map;

/** Stores the events of a request: up to a hundred. */
public final class CreateBatchFunction extends RehearsedFunction {

  public CreateBatchFunction() {
    this(System.getenv());
  }

  public CreateBatchFunction(Map<String, String> environment) {
    super(environment, CreateBatchFunction::handler, RehearsalScript::batch);
  }

  /** Handles the route's requests with parts of this wiring. */
  public static Handler handler(Wiring wiring) {
    return handler(
        wiring.guardOfCachedUsers(),
        new CreateBatch(
            new NewEvents(new EventIds(wiring.clock(), wiring.random()), wiring.clock()),
            wiring.events(),
            wiring.sideBySide()));
  }

  static Handler handler(Guard guard, CreateBatch createBatch) {
    return guard.protect(Role.CONNECTOR, (request, caller) -> handle(createBatch, request, caller));
  }

  private static Response handle(CreateBatch createBatch, Request request, Caller caller) {
    if (request.header("idempotency-key").isPresent()) {
      return EventResponse.refused(
          request,
          new Reason(
              ProblemCode.VALIDATION_FAILED,
              "Idempotency-Key is for a single event. In a batch, each event has its own"
                  + " idempotency_key."));
    }
    return switch (BatchRequest.of(request)) {
      case Body.Read<BatchRequest>(BatchRequest(List<Body.Checked<EventRequest>> events)) ->
          BatchResponse.of(request, caller, createBatch.create(events, caller));
      case Body.Refused<?> refused -> EventResponse.refused(request, refused.reason());
    };
  }
}
