package dev.connectorevents.functions.listevents;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.access.Caller;
import dev.connectorevents.access.Guard;
import dev.connectorevents.event.Delivery;
import dev.connectorevents.event.EventList;
import dev.connectorevents.event.EventPage;
import dev.connectorevents.event.EventQuery;
import dev.connectorevents.event.EventType;
import dev.connectorevents.event.Events;
import dev.connectorevents.event.Timestamp;
import dev.connectorevents.eventformat.EventCursor;
import dev.connectorevents.eventformat.EventJson;
import dev.connectorevents.eventformat.EventListRequest;
import dev.connectorevents.functions.snapshot.RehearsalScript;
import dev.connectorevents.functions.snapshot.RehearsedFunction;
import dev.connectorevents.functions.wiring.Wiring;
import dev.connectorevents.http.Handler;
import dev.connectorevents.http.Problem;
import dev.connectorevents.http.ProblemCode;
import dev.connectorevents.http.Request;
import dev.connectorevents.http.Response;
import dev.connectorevents.user.Role;
import java.net.URLEncoder;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Lists the events of a type or a brand. */
public final class ListEventsFunction extends RehearsedFunction {

  public ListEventsFunction() {
    this(System.getenv());
  }

  public ListEventsFunction(Map<String, String> environment) {
    super(environment, ListEventsFunction::handler, RehearsalScript::listEvents);
  }

  /** Handles the route's requests with parts of this wiring. */
  public static Handler handler(Wiring wiring) {
    return handler(
        wiring.guardOfCachedUsers(), wiring.eventList(), wiring.indexLag(), wiring.clock());
  }

  /**
   * @param indexLag how long an event may take from the table to its indexes
   */
  static Handler handler(Guard guard, EventList events, Duration indexLag, Clock clock) {
    return guard.protect(
        Role.CONSUMER, (request, caller) -> list(events, indexLag, clock, request, caller));
  }

  private static Response list(
      EventList events, Duration indexLag, Clock clock, Request request, Caller caller) {
    Optional<Map<String, String>> query = request.query();
    if (query.isEmpty()) {
      return Problem.of(
          request, ProblemCode.VALIDATION_FAILED, "The query must be percent-encoded UTF-8.");
    }
    return switch (EventListRequest.read(query.get())) {
      case EventListRequest.Valid(EventQuery(EventQuery.OfType(EventType type), _, _), _, _)
          when !caller.mayUse(type) ->
          Problem.of(request, caller.outOfScope(type));
      case EventListRequest.Valid valid -> {
        // Before the queries: what is stored while they run is not promised.
        Instant completeUntil =
            valid
                .cursor()
                .map(EventCursor::completeUntil)
                .orElseGet(() -> completeUntil(clock.instant(), indexLag));
        EventPage page =
            events.list(valid.query(), valid.cursor().map(EventCursor::position), valid.limit());
        Optional<String> next =
            page.continueAfter()
                .map(position -> new EventCursor(completeUntil, position).text(valid.query()));
        yield answer(query.get(), inScope(page, caller), next, completeUntil);
      }
      case EventListRequest.Invalid(String detail) ->
          Problem.of(request, ProblemCode.VALIDATION_FAILED, detail);
    };
  }

  /** The page's events that the caller may see; it may be shorter then, or empty. */
  private static List<EventPage.ListedEvent> inScope(EventPage page, Caller caller) {
    return page.events().stream().filter(it -> caller.mayUse(it.event().type())).toList();
  }

  private static Instant completeUntil(Instant now, Duration indexLag) {
    return now.minus(Events.LONGEST_WRITE.plus(Events.CLOCK_SKEW).plus(indexLag))
        .truncatedTo(ChronoUnit.MILLIS);
  }

  private static Response answer(
      Map<String, String> query,
      List<EventPage.ListedEvent> events,
      Optional<String> next,
      Instant completeUntil) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("events", events.stream().map(ListEventsFunction::head).toList());
    next.ifPresent(cursor -> body.put("next", cursor));
    body.put("complete_until", Timestamp.of(completeUntil));
    Response response = Response.json(200, body);
    return next.map(cursor -> response.with("Link", link(query, cursor))).orElse(response);
  }

  /** Without the provider's response: it may have 64 KB, and there may be 100 events. */
  private static Map<String, Object> head(EventPage.ListedEvent entry) {
    Map<String, Object> head = EventJson.members(entry.event(), entry.userId());
    head.remove(Delivery.RESPONSE);
    return head;
  }

  /** The next page's address (RFC 8288). */
  private static String link(Map<String, String> query, String cursor) {
    Map<String, String> next = new TreeMap<>(query);
    next.put("cursor", cursor);
    return next.entrySet().stream()
        .map(parameter -> parameter.getKey() + "=" + URLEncoder.encode(parameter.getValue(), UTF_8))
        .collect(Collectors.joining("&", "</api/webhook-events?", ">; rel=\"next\""));
  }
}
