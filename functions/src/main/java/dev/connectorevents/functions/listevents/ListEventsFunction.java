package dev.connectorevents.functions.listevents;

import static java.util.stream.Collectors.joining;

import dev.connectorevents.access.Caller;
import dev.connectorevents.access.Guard;
import dev.connectorevents.event.BrandList;
import dev.connectorevents.event.EventOrder;
import dev.connectorevents.event.EventQuery;
import dev.connectorevents.event.EventTypes;
import dev.connectorevents.event.ListEntry;
import dev.connectorevents.event.Timestamp;
import dev.connectorevents.eventformat.BrandCursor;
import dev.connectorevents.eventformat.EventJson;
import dev.connectorevents.eventformat.EventListRequest;
import dev.connectorevents.feed.EventFeed;
import dev.connectorevents.feed.FeedCursor;
import dev.connectorevents.feed.Whole;
import dev.connectorevents.functions.snapshot.RehearsalScript;
import dev.connectorevents.functions.snapshot.RehearsedFunction;
import dev.connectorevents.functions.wiring.Wiring;
import dev.connectorevents.http.Handler;
import dev.connectorevents.http.Problem;
import dev.connectorevents.http.ProblemCode;
import dev.connectorevents.http.Request;
import dev.connectorevents.http.Response;
import dev.connectorevents.user.Role;
import java.time.Instant;
import java.util.HashMap;
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
    return handler(wiring.guardOfCachedUsers(), wiring.eventFeed(), wiring.brandList());
  }

  static Handler handler(Guard guard, EventFeed feed, BrandList brands) {
    return guard.protect(Role.CONSUMER, (request, caller) -> list(feed, brands, request, caller));
  }

  private static Response list(EventFeed feed, BrandList brands, Request request, Caller caller) {
    Optional<Map<String, List<String>>> query = request.query();
    if (query.isEmpty()) {
      return refusal(request, EventListRequest.undecodable(request.undecodable()).detail());
    }
    return switch (EventListRequest.read(query.get())) {
      case EventListRequest.Invalid(String detail) -> refusal(request, detail);
      case EventListRequest.Valid valid -> {
        Optional<EventTypes> scope = caller.scope();
        Optional<EventTypes> asked = valid.query().types();
        if (scope.isPresent() && asked.filter(it -> !it.overlaps(scope.get())).isPresent()) {
          yield Problem.of(request, caller.outOfScope(asked.get()));
        }
        yield switch (valid) {
          case EventListRequest.Valid.OfFeed list -> ofFeed(feed, list, scope, request);
          case EventListRequest.Valid.OfBrand list -> ofBrand(brands, list, scope);
        };
      }
    };
  }

  private static Response ofFeed(
      EventFeed feed,
      EventListRequest.Valid.OfFeed list,
      Optional<EventTypes> scope,
      Request request) {
    return switch (feed.page(list.query(), scope, list.window(), list.limit())) {
      case EventFeed.Outcome.Page page -> {
        Response answer =
            answer(
                    list.query(),
                    page.entries(),
                    page.next().map(FeedCursor::text),
                    page.hasMore(),
                    headMembers(page))
                .noting(LoggedPage.ofFeed(list.query(), scope, page.entries(), page.feed()));
        if (list.query().order() == EventOrder.DESC) {
          yield answer;
        }
        long after = list.window().cursor().map(FeedCursor::position).orElse(0L);
        Response noted =
            answer.noting(LoggedPage.ofPassage(list.query(), after, page.next().orElseThrow()));
        // A reader of a window does not follow the feed to its head.
        yield list.window().until().isEmpty() ? noted.noting(ofFollower(list, page)) : noted;
      }
      case EventFeed.Outcome.ForeignCursor() ->
          refusal(
              request,
              "cursor: this position belongs to another feed (another stack, or one whose feed was"
                  + " made anew): begin without a cursor.");
      case EventFeed.Outcome.ForeignUntil() ->
          refusal(
              request,
              "until: this position belongs to another feed, or the feed has not come to it: take one"
                  + " that an answer had.");
    };
  }

  /** How far the page leaves its reader behind. One that begins at a time may only look around. */
  private static Map<String, Object> ofFollower(
      EventListRequest.Valid.OfFeed list, EventFeed.Outcome.Page page) {
    Map<String, Object> notes = new HashMap<>();
    notes.put("behind", page.head() - page.next().orElseThrow().position());
    notes.put("behind_seconds", page.behind().toSeconds());
    list.query().from().ifPresent(_ -> notes.put("has_from", true));
    return notes;
  }

  private static String headMembers(EventFeed.Outcome.Page page) {
    return ",\"head\":"
        + page.head()
        + time("whole_since", page.whole().flatMap(Whole::since))
        + time("whole_until", page.whole().map(Whole::until));
  }

  private static String time(String name, Optional<Instant> time) {
    return time.map(it -> ",\"%s\":\"%s\"".formatted(name, Timestamp.of(it))).orElse("");
  }

  private static Response refusal(Request request, String detail) {
    return Problem.of(request, ProblemCode.VALIDATION_FAILED, detail);
  }

  private static Response ofBrand(
      BrandList brands, EventListRequest.Valid.OfBrand list, Optional<EventTypes> scope) {
    String brand = list.query().brand().orElseThrow();
    BrandList.Page page = brands.page(list.query(), scope, list.cursor(), list.limit());
    Optional<String> next = page.next().map(place -> BrandCursor.text(place, brand));
    return answer(list.query(), page.entries(), next, next.isPresent(), "")
        .noting(LoggedPage.ofBrand(list.query(), scope, page.entries()));
  }

  private static Response answer(
      EventQuery query,
      List<ListEntry> entries,
      Optional<String> next,
      boolean hasMore,
      String head) {
    String events =
        entries.stream()
            .map(entry -> EventJson.text(entry, query.hasPayloads()))
            .collect(joining(",", "{\"events\":[", "],"));
    return Response.json(
        200,
        events
            + next.map("\"next\":\"%s\","::formatted).orElse("")
            + "\"more\":"
            + hasMore
            + head
            + "}");
  }
}
