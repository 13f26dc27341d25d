package dev.connectorevents.functions.readevent;

import dev.connectorevents.access.Caller;
import dev.connectorevents.access.Guard;
import dev.connectorevents.event.EventIds;
import dev.connectorevents.event.EventLookup;
import dev.connectorevents.event.LookupOutcome;
import dev.connectorevents.event.StoredEvent;
import dev.connectorevents.event.Timestamp;
import dev.connectorevents.eventformat.EventJson;
import dev.connectorevents.functions.snapshot.RehearsalScript;
import dev.connectorevents.functions.snapshot.RehearsedFunction;
import dev.connectorevents.functions.wiring.Wiring;
import dev.connectorevents.http.AnswerSize;
import dev.connectorevents.http.EntityTag;
import dev.connectorevents.http.Handler;
import dev.connectorevents.http.Problem;
import dev.connectorevents.http.ProblemCode;
import dev.connectorevents.http.Request;
import dev.connectorevents.http.Response;
import dev.connectorevents.user.Role;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Returns a stored event, or its payload alone. */
public final class ReadEventFunction extends RehearsedFunction {

  private static final String PAYLOAD = "/payload";

  public ReadEventFunction() {
    this(System.getenv());
  }

  public ReadEventFunction(Map<String, String> environment) {
    super(environment, ReadEventFunction::handler, RehearsalScript::readEvent);
  }

  /** Handles the route's requests with parts of this wiring. */
  public static Handler handler(Wiring wiring) {
    return handler(wiring.guardOfCachedUsers(), wiring.eventLookup());
  }

  static Handler handler(Guard guard, EventLookup events) {
    return guard.protect(Role.CONSUMER, (request, caller) -> read(events, request, caller));
  }

  private static Response read(EventLookup events, Request request, Caller caller) {
    String id = request.pathParameters().getOrDefault("id", "");
    Optional<LookupOutcome> found = EventIds.parse(id).map(it -> find(events, it, caller));
    return switch (found.orElseGet(LookupOutcome.Absent::new)) {
      case LookupOutcome.Found(StoredEvent stored) -> answer(request, stored);
      case LookupOutcome.Erased(Instant erasedAt) ->
          Problem.of(
              request,
              ProblemCode.EVENT_ERASED,
              "An operator erased this event at " + erasedAt + ". It will not come back.");
      case LookupOutcome.Absent() -> Problem.of(request, ProblemCode.NOT_FOUND, whyNotFound(id));
    };
  }

  /**
   * An event outside the caller's scope is absent for it, and so is an erased one: it has no type.
   */
  private static LookupOutcome find(EventLookup events, UUID id, Caller caller) {
    LookupOutcome outcome =
        events.find(id, caller.user().mayUseAll() ? Optional.empty() : Optional.of(caller::mayUse));
    // Also reads the user again for an unknown id: else the time would tell that an event exists.
    return outcome instanceof LookupOutcome.Found || caller.mayUseAll()
        ? outcome
        : new LookupOutcome.Absent();
  }

  private static String whyNotFound(String id) {
    if (EventIds.parse(id).isPresent()) {
      return "No event has this id.";
    }
    if (id.equals("batch") || id.equals("missing")) {
      return "No event has this id: " + id + " is a route of connectors, with POST.";
    }
    return EventIds.parse(id.toLowerCase(Locale.ROOT)).isPresent()
        ? "No event has this id: an id is in lower case."
        : "No event has this id: an id is a UUID, the id in the answer that stored the event.";
  }

  private static Response answer(Request request, StoredEvent stored) {
    String text = request.route().endsWith(PAYLOAD) ? stored.payload() : EventJson.text(stored);
    boolean isCompressed = AnswerSize.exceeds(text);
    if (isCompressed && !AnswerSize.acceptsGzip(request)) {
      return Problem.of(
          request,
          ProblemCode.NOT_ACCEPTABLE,
          "The answer exceeds 6 MB, so it is sent in gzip only: send Accept-Encoding: gzip.");
    }
    // A freed key gives its id to a new event, so the id alone does not name the event.
    String id = stored.event().id().toString();
    EntityTag tag =
        EntityTag.of(
            id,
            Timestamp.of(stored.event().createdAt()),
            request.route(),
            isCompressed ? "gzip" : "identity");
    if (tag.isKnownTo(request)) {
      return tagged(Response.withoutBody(304), tag).noting("event_id", id);
    }
    Response whole = Response.json(200, text).noting("event_id", id);
    return tagged(isCompressed ? whole.gzipped() : whole, tag);
  }

  private static Response tagged(Response response, EntityTag tag) {
    return response.with("ETag", tag.value()).with("Vary", "Accept-Encoding");
  }
}
