package dev.connectorevents.functions.listevents;

import static java.util.stream.Collectors.joining;

import dev.connectorevents.access.Caller;
import dev.connectorevents.access.Guard;
import dev.connectorevents.event.EventList;
import dev.connectorevents.event.EventOrder;
import dev.connectorevents.event.EventPage;
import dev.connectorevents.event.EventQuery;
import dev.connectorevents.event.EventTypes;
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
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Lists the stored events: newest first, or as a feed. */
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
    Optional<Map<String, List<String>>> query = request.query();
    if (query.isEmpty()) {
      return Problem.of(
          request,
          ProblemCode.VALIDATION_FAILED,
          EventListRequest.undecodable(request.undecodable()).detail());
    }
    return switch (EventListRequest.read(query.get())) {
      case EventListRequest.Invalid(String detail) ->
          Problem.of(request, ProblemCode.VALIDATION_FAILED, detail);
      case EventListRequest.Valid valid -> {
        Optional<EventTypes> scope = caller.scope();
        Optional<EventTypes> asked = valid.query().types();
        if (scope.isPresent() && asked.filter(it -> !it.overlaps(scope.get())).isPresent()) {
          yield Problem.of(request, caller.outOfScope(asked.get()));
        }
        // Before the queries: what is stored while they run is not promised.
        Instant completeUntil =
            valid
                .cursor()
                .flatMap(EventCursor::completeUntil)
                .orElseGet(() -> completeUntil(clock.instant(), indexLag));
        yield answer(valid, scope, events, completeUntil);
      }
    };
  }

  private static Instant completeUntil(Instant now, Duration indexLag) {
    return now.minus(Events.LONGEST_WRITE.plus(Events.CLOCK_SKEW).plus(indexLag))
        .truncatedTo(ChronoUnit.MILLIS);
  }

  private static Response answer(
      EventListRequest.Valid valid,
      Optional<EventTypes> scope,
      EventList events,
      Instant completeUntil) {
    EventQuery query = valid.query();
    EventPage page =
        events.page(
            query, scope, valid.cursor().map(EventCursor::position), completeUntil, valid.limit());
    Optional<Instant> promise =
        query.order() == EventOrder.DESC ? Optional.of(completeUntil) : Optional.empty();
    String entries =
        page.entries().stream()
            .map(entry -> EventJson.text(entry, query.hasPayloads()))
            .collect(joining(",", "{\"events\":[", "],"));
    String next =
        page.next()
            .map(position -> new EventCursor(position, promise).text(query))
            .map("\"next\":\"%s\","::formatted)
            .orElse("");
    return Response.json(
        200,
        entries
            + next
            + "\"more\":%s,\"complete_until\":\"%s\"}"
                .formatted(page.hasMore(), Timestamp.of(completeUntil)));
  }
}
