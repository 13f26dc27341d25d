package dev.connectorevents.functions.restoreevents;

import dev.connectorevents.event.Erasure;
import dev.connectorevents.event.EventIds;
import dev.connectorevents.event.RestoredEvents.NotCopied;
import dev.connectorevents.event.TakenBackEvents;
import dev.connectorevents.event.Timestamp;
import dev.connectorevents.eventformat.ErasureJson;
import dev.connectorevents.feed.FeedMarks;
import dev.connectorevents.functions.lambda.OperatorFunction;
import dev.connectorevents.functions.lambda.OperatorHandler;
import dev.connectorevents.functions.restoreevents.RestoreEventsRequest.TakeBack.Place;
import dev.connectorevents.functions.wiring.Wiring;
import dev.connectorevents.http.Fault;
import dev.connectorevents.http.Problem;
import dev.connectorevents.http.ProblemCode;
import dev.connectorevents.http.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The Lambda function for {@link RestoreEvents}, {@link TakeBackErasure} and {@link FillFeed}.
 * Operators invoke it with IAM; it never has a route.
 */
public final class RestoreEventsFunction extends OperatorFunction {

  /**
   * How long a call begins further pages, before it lets the caller go on. The rest of the
   * function's time is for the last page, and for slow calls.
   */
  static final Duration LONGEST_CALL = Duration.ofSeconds(40);

  private static final TakenBackEvents.Page NOTHING = new TakenBackEvents.Page(0, 0, 0, List.of());

  /** What an answer has of an erasure that is to be made again: there may be thousands. */
  private static final Set<String> LISTED =
      Set.of("erasure_id", "reason", "selector", "narrowed", "begun");

  public RestoreEventsFunction() {
    this(System.getenv());
  }

  public RestoreEventsFunction(Map<String, String> environment) {
    super(handler(new Wiring(environment)));
  }

  /** Handles operators' events with parts of this wiring. */
  public static OperatorHandler handler(Wiring wiring) {
    return handler(
        new RestoreEvents(wiring.restoredEvents(), wiring.erasureLedger(), wiring.clock()),
        new TakeBackErasure(
            wiring.restoredEvents(),
            wiring.takenBackEvents(),
            wiring.erasureLedger(),
            wiring.sideBySide(),
            wiring.clock()),
        new FillFeed(
            wiring.renumberedEvents(),
            wiring.feedLog(),
            wiring.feedMarks(),
            new EventIds(wiring.clock(), wiring.random()),
            wiring.clock()));
  }

  static OperatorHandler handler(
      RestoreEvents restoreEvents, TakeBackErasure takeBack, FillFeed fillFeed) {
    return OperatorHandler.of(
        RestoreEventsRequest::read,
        (requestId, request, line) ->
            switch (request) {
              case RestoreEventsRequest.Restore(String table, RestorePlace place) ->
                  restored(requestId, restoreEvents.restore(table, place), line);
              case RestoreEventsRequest.TakeBack way -> {
                line.put("erasure_id", way.erasureId().toString());
                yield takenBack(requestId, way, takeBack.takeBack(way), line);
              }
              case RestoreEventsRequest.Fill(Instant from, Instant to, Optional<FillPlace> place) ->
                  filled(requestId, fillFeed.fill(from, to, place), line);
            });
  }

  private static Map<String, Object> filled(
      String requestId, FillFeed.Outcome outcome, Map<String, Object> line) {
    Map<String, Object> answer = new LinkedHashMap<>();
    switch (outcome) {
      case FillFeed.Outcome.Refused(Fault fault) -> {
        return Problem.body(requestId, Reason.invalid(List.of(fault)));
      }
      case FillFeed.Outcome.FeedLostRecords() -> {
        return Problem.body(requestId, ProblemCode.FEED_LOST_RECORDS, FeedMarks.LOST);
      }
      case FillFeed.Outcome.Waits(FillPlace next, Duration pause) -> {
        answer.put("searched", 0);
        answer.put("renumbered", 0);
        answer.put("wait_seconds", pause.toSeconds());
        answer.put("waiting_since", Timestamp.of(next.begun()));
        line.putAll(answer);
        answer.put("next", next.text());
      }
      case FillFeed.Outcome.Done(int searched, int renumbered, Optional<FillPlace> next) -> {
        answer.put("searched", searched);
        answer.put("renumbered", renumbered);
        line.putAll(answer);
        next.ifPresent(place -> answer.put("next", place.text()));
      }
    }
    return answer;
  }

  private static Map<String, Object> restored(
      String requestId, RestoreEvents.Outcome outcome, Map<String, Object> line) {
    return switch (outcome) {
      case RestoreEvents.Outcome.Refused(Fault fault) ->
          Problem.body(requestId, Reason.invalid(List.of(fault)));
      case RestoreEvents.Outcome.Done(
              int restored,
              int kept,
              List<NotCopied> notCopied,
              int erased,
              Optional<RestorePlace> next) -> {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("restored", restored);
        answer.put("kept", kept);
        answer.put("erased", erased);
        line.putAll(answer);
        putNotRestored(notCopied, answer, line);
        next.ifPresent(place -> answer.put("next", place.text()));
        yield answer;
      }
    };
  }

  private static void putNotRestored(
      List<NotCopied> events, Map<String, Object> answer, Map<String, Object> line) {
    if (!events.isEmpty()) {
      line.put("not_restored", events.size());
      answer.put(
          "not_restored",
          events.stream()
              .map(event -> Map.of("id", event.id(), "reason", event.reason()))
              .toList());
    }
  }

  private static Map<String, Object> takenBack(
      String requestId,
      RestoreEventsRequest.TakeBack request,
      TakeBackErasure.Outcome outcome,
      Map<String, Object> line) {
    Map<String, Object> answer = new LinkedHashMap<>();
    return switch (outcome) {
      case TakeBackErasure.Outcome.UnknownErasure() ->
          Problem.body(requestId, ProblemCode.NOT_FOUND, "No erasure has this id.");
      case TakeBackErasure.Outcome.Refused(Fault fault) ->
          Problem.body(requestId, Reason.invalid(List.of(fault)));
      case TakeBackErasure.Outcome.Begins(Erasure erasure, List<Erasure> toRepeat, Place next) -> {
        putFigures(NOTHING, answer, line);
        putProof(erasure, toRepeat, answer);
        answer.put("next", request.nextAt(next));
        yield answer;
      }
      case TakeBackErasure.Outcome.Continues(TakenBackEvents.Page figures, Place next) -> {
        putFigures(figures, answer, line);
        answer.put("next", request.nextAt(next));
        yield answer;
      }
      case TakeBackErasure.Outcome.Ends(
              TakenBackEvents.Page figures,
              Erasure erasure,
              List<Erasure> toRepeat) -> {
        putFigures(figures, answer, line);
        putProof(erasure, toRepeat, answer);
        yield answer;
      }
    };
  }

  private static void putFigures(
      TakenBackEvents.Page figures, Map<String, Object> answer, Map<String, Object> line) {
    answer.put("taken_back", figures.takenBack());
    answer.put("stay_erased", figures.stayErased());
    answer.put("expired", figures.expired());
    line.putAll(answer);
    putNotRestored(figures.notCopied(), answer, line);
  }

  private static void putProof(
      Erasure erasure, List<Erasure> toRepeat, Map<String, Object> answer) {
    answer.put("erase_again", toRepeat.stream().map(RestoreEventsFunction::listed).toList());
    answer.put("proof", ErasureJson.members(erasure));
  }

  /** Enough for whoever made the erasure to make it again. */
  private static Map<String, Object> listed(Erasure erasure) {
    Map<String, Object> members = new LinkedHashMap<>(ErasureJson.members(erasure));
    members.keySet().retainAll(LISTED);
    return members;
  }
}
