package dev.connectorevents.functions.createevent;

import dev.connectorevents.access.Caller;
import dev.connectorevents.event.EventTypes;
import dev.connectorevents.event.StoreOutcome;
import dev.connectorevents.event.WebhookEvent;
import dev.connectorevents.eventformat.EventJson;
import dev.connectorevents.eventformat.EventRequest;
import dev.connectorevents.functions.lambda.LogLine;
import dev.connectorevents.http.Problem;
import dev.connectorevents.http.ProblemCode;
import dev.connectorevents.http.Reason;
import dev.connectorevents.http.Request;
import dev.connectorevents.http.Response;
import dev.connectorevents.json.Body;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The answer to a stored event, which is the event without its payload, and to a refused one. */
final class EventResponse {

  /** In the log: the provider of the events, as their sender names it. */
  static final String PROVIDER = "provider";

  /** In the log: how many new events were stored. A replay is none. */
  static final String STORED = "stored";

  /** In the log: the provider under which a metric counts these events. */
  static final String COUNTED_AS = "counted_as";

  /**
   * In the log: how many events were refused, and may be lost if their sender does not mend them.
   */
  static final String REFUSED = "refused";

  /** In the log: how many events were refused because another event has their key. */
  static final String REUSED_KEYS = "reused_keys";

  /** In the log: the key under which a refused event was sent. */
  private static final String KEY = "key";

  private static final String EVENT_ID = "event_id";
  private static final String EVENT_TYPE = "event_type";
  private static final String OTHER = "other";

  private EventResponse() {}

  /**
   * The answer to a new event.
   *
   * @param requestId the {@code request_id} in {@code _meta}, for the log
   */
  static Response stored(WebhookEvent event, Optional<String> requestId, Caller caller) {
    return created(event, requestId)
        .noting(STORED, 1)
        .noting(COUNTED_AS, countedAs(event.type().provider(), caller));
  }

  /** The answer to a replay of this event. */
  static Response replayed(WebhookEvent first, Optional<String> requestId) {
    return created(first, requestId).with("Idempotency-Replayed", "true");
  }

  private static Response created(WebhookEvent event, Optional<String> requestId) {
    String id = event.id().toString();
    Response response =
        Response.json(201, EventJson.members(event))
            .with("Location", "/api/webhook-events/" + id)
            .noting(EVENT_ID, id)
            .noting(EVENT_TYPE, event.type().value())
            .noting(PROVIDER, event.type().provider());
    return requestId
        .map(sent -> response.noting("meta_request_id", LogLine.shortened(sent)))
        .orElse(response);
  }

  /**
   * The provider under which a metric counts an event. Senders choose providers, and each one is a
   * metric that costs money: so only those that an operator has named in the user's scope count.
   */
  static String countedAs(String provider, Caller caller) {
    EventTypes scope = caller.user().scope();
    return scope != null && scope.names(provider) ? provider : OTHER;
  }

  /**
   * Whether events that got this code may be lost. An operator has erased the others on purpose.
   */
  static boolean mayBeLost(ProblemCode refusal) {
    return refusal != ProblemCode.EVENT_ERASED;
  }

  /** The answer to a request that this reason refuses. */
  static Response refused(Request request, Reason why) {
    Response problem = Problem.of(request, why);
    return mayBeLost(why.code()) ? problem.noting(REFUSED, 1) : problem;
  }

  /** The answer to an event that this reason refuses. */
  static Response refused(Request request, EventRequest event, Reason why) {
    return refused(request, why).noting(named(event));
  }

  /** What tells, in the log, which event was refused. */
  static Map<String, Object> named(EventRequest event) {
    Map<String, Object> names = new LinkedHashMap<>();
    names.put(EVENT_TYPE, event.type().value());
    event.idempotencyKey().ifPresent(key -> names.put(KEY, key.value()));
    return names;
  }

  /** As far as its type and its key keep their rules. */
  static Map<String, Object> named(Body.Invalid<EventRequest> event) {
    Map<String, Object> names = new LinkedHashMap<>();
    Map<String, String> valid = event.names();
    Optional.ofNullable(valid.get("event_type")).ifPresent(type -> names.put(EVENT_TYPE, type));
    Optional.ofNullable(valid.get("idempotency_key")).ifPresent(key -> names.put(KEY, key));
    return names;
  }

  static Response refused(
      Request request, EventRequest event, StoreOutcome.Refused refused, Caller caller) {
    Response problem = refused(request, event, reason(refused, caller));
    return refused instanceof StoreOutcome.KeyReused(WebhookEvent first)
        ? problem.noting(REUSED_KEYS, 1).noting(EVENT_ID, first.id().toString())
        : problem;
  }

  static Reason reason(StoreOutcome.Refused refused, Caller caller) {
    return switch (refused) {
      case StoreOutcome.KeyReused(WebhookEvent first) ->
          new Reason(
              ProblemCode.IDEMPOTENCY_KEY_REUSED,
              "An event is stored under this Idempotency-Key, and this one differs from it. A retry"
                  + " repeats the event type, the installation and, byte for byte, the payload; another"
                  + " event needs a key of its own.",
              // Reads the user no second time: that could fail after others of a batch are stored.
              caller.user().mayUse(first.type())
                  ? Map.of(EVENT_ID, first.id().toString())
                  : Map.of());
      case StoreOutcome.Erased() ->
          new Reason(
              ProblemCode.EVENT_ERASED,
              "An operator erased the event under this Idempotency-Key. The key stays refused: do not"
                  + " retry.");
      case StoreOutcome.TooLarge(long bytes, long limit) ->
          new Reason(
              ProblemCode.PAYLOAD_TOO_LARGE,
              "The event takes %d bytes compressed; at most %d can be stored. Send less in one event."
                  .formatted(bytes, limit));
    };
  }
}
