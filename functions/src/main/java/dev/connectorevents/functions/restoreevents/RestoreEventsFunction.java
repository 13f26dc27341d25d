package dev.connectorevents.functions.restoreevents;

import dev.connectorevents.event.EventIds;
import dev.connectorevents.event.RestoredEvents.NotCopied;
import dev.connectorevents.event.Timestamp;
import dev.connectorevents.feed.FeedMarks;
import dev.connectorevents.functions.lambda.OperatorFunction;
import dev.connectorevents.functions.lambda.OperatorHandler;
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

/**
 * The Lambda function for {@link RestoreEvents} and {@link FillFeed}. Operators invoke it with IAM;
 * it never has a route.
 */
public final class RestoreEventsFunction extends OperatorFunction {

  /**
   * How long a call begins further pages, before it lets the caller go on. The rest of the
   * function's time is for the last page, and for slow calls.
   */
  static final Duration LONGEST_CALL = Duration.ofSeconds(40);

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
        new FillFeed(
            wiring.renumberedEvents(),
            wiring.feedLog(),
            wiring.feedMarks(),
            new EventIds(wiring.clock(), wiring.random()),
            wiring.clock()));
  }

  static OperatorHandler handler(RestoreEvents restoreEvents, FillFeed fillFeed) {
    return OperatorHandler.of(
        RestoreEventsRequest::read,
        (requestId, request, line) ->
            switch (request) {
              case RestoreEventsRequest.Restore(String table, RestorePlace place) ->
                  restored(requestId, restoreEvents.restore(table, place), line);
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
}
