package dev.connectorevents.functions.createevent;

import dev.connectorevents.event.EventIds;
import dev.connectorevents.event.IdempotencyKey;
import dev.connectorevents.event.StoreOutcome;
import dev.connectorevents.functions.ApiGatewayFunction;
import dev.connectorevents.functions.Rehearsal;
import dev.connectorevents.functions.Wiring;
import dev.connectorevents.http.Caller;
import dev.connectorevents.http.EventRequest;
import dev.connectorevents.http.Guard;
import dev.connectorevents.http.JsonBody;
import dev.connectorevents.http.Problem;
import dev.connectorevents.http.ProblemCode;
import dev.connectorevents.http.Request;
import dev.connectorevents.http.Response;
import dev.connectorevents.user.RememberedUsers;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;

/** Lambda's way into {@link CreateEvent}. */
public final class CreateEventFunction extends ApiGatewayFunction {

  /** What a revocation may lag here, so that a burst of events costs one read of its user. */
  private static final Duration USER_AGE = Duration.ofSeconds(5);

  public CreateEventFunction() {
    this(System.getenv());
  }

  public CreateEventFunction(Map<String, String> environment) {
    this(new Wiring(environment));
    rehearseIn(environment);
  }

  private CreateEventFunction(Wiring wiring) {
    this(
        new Guard(wiring.tokens(), new RememberedUsers(wiring.users(), USER_AGE, wiring.clock())),
        new CreateEvent(
            wiring.events(), new EventIds(wiring.clock(), wiring.random()), wiring.clock()));
  }

  CreateEventFunction(Guard guard, CreateEvent createEvent) {
    super(
        guard.protect(
            JsonBody.required((request, caller) -> handle(createEvent, request, caller))));
  }

  @Override
  protected Rehearsal rehearsal() {
    return new Rehearsal(CreateEventFunction::new, event(1), event(500));
  }

  private static Response handle(CreateEvent createEvent, Request request, Caller caller) {
    Optional<String> header = request.header("idempotency-key");
    Optional<IdempotencyKey> key = header.flatMap(IdempotencyKey::parse);
    if (key.isPresent() != header.isPresent()) {
      return Problem.of(
          request,
          ProblemCode.VALIDATION_FAILED,
          "Idempotency-Key must be 1 to 255 printable ASCII characters.");
    }
    Optional<String> text = request.text();
    if (text.isEmpty()) {
      return Problem.of(request, ProblemCode.MALFORMED_JSON, "The body must be UTF-8.");
    }
    return switch (EventRequest.read(text.get())) {
      case EventRequest.Valid valid ->
          answer(request, createEvent.create(valid, caller.user().id(), key));
      case EventRequest.Invalid(var faults) -> Problem.invalid(request, faults);
      case EventRequest.Malformed(var detail) ->
          Problem.of(request, ProblemCode.MALFORMED_JSON, detail);
    };
  }

  /** An event with all that it can have: one line is stored as text, many are stored as gzip. */
  private static String event(int lines) {
    return """
    {"event_type": "rehearsal.requested", "connector_installation_id": 1, "status": "retrying",
    "response": "none", "attempts": 1, "sent_at": "2026-11-20T12:00:00Z",
    "next_retry_at": "2026-11-20T13:00:00+01:00", "payload": {"lines": [%s], "_meta":
    {"source": "rehearsal", "topic": "requested", "brand_id": "none"}}}\
    """
        .formatted(String.join(",", Collections.nCopies(lines, "[{\"text\": \"é 你\"}, -1.5e3]")));
  }

  private static Response answer(Request request, StoreOutcome outcome) {
    return switch (outcome) {
      case StoreOutcome.Stored(var event) -> EventResponse.created(event);
      case StoreOutcome.Replayed(var first) ->
          EventResponse.created(first).with("Idempotency-Replayed", "true");
      case StoreOutcome.KeyReused() ->
          Problem.of(
              request,
              ProblemCode.IDEMPOTENCY_KEY_REUSED,
              "Another event is stored under this Idempotency-Key. A retry repeats the event type,"
                  + " the installation and the payload; another event needs a key of its own.");
      case StoreOutcome.TooLarge(var bytes, var limit) ->
          Problem.of(
              request,
              ProblemCode.PAYLOAD_TOO_LARGE,
              "The event takes %d bytes; at most %d can be stored.".formatted(bytes, limit));
    };
  }
}
