package dev.connectorevents.functions.operators.erase;

import dev.connectorevents.erasure.Erasure;
import dev.connectorevents.erasure.ErasureJson;
import dev.connectorevents.event.Timestamp;
import dev.connectorevents.functions.operators.OperatorFunction;
import dev.connectorevents.functions.operators.OperatorHandler;
import dev.connectorevents.functions.operators.erase.EraseEventsRequest.Place;
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
import java.util.UUID;

/**
 * The Lambda function for {@link EraseEvents}. Operators invoke it with IAM; it never has a route.
 */
public final class EraseEventsFunction extends OperatorFunction {

  public EraseEventsFunction() {
    this(System.getenv());
  }

  public EraseEventsFunction(Map<String, String> environment) {
    super(handler(new Wiring(environment)));
  }

  /** Handles operators' events with parts of this wiring. */
  public static OperatorHandler handler(Wiring wiring) {
    return handler(
        new EraseEvents(
            new EraseEvents.Parts(
                wiring.erasableEvents(),
                wiring.erasureLedger(),
                wiring.feedBeats(),
                wiring.sideBySide(),
                wiring.clock()),
            wiring.random(),
            wiring.backups()));
  }

  static OperatorHandler handler(EraseEvents eraseEvents) {
    return OperatorHandler.of(
        EraseEventsRequest::read,
        (requestId, request, line) -> answer(requestId, eraseEvents, request, line));
  }

  private static Map<String, Object> answer(
      String requestId,
      EraseEvents eraseEvents,
      EraseEventsRequest request,
      Map<String, Object> line) {
    CallFigures figures = new CallFigures();
    try {
      Map<String, Object> answer = new LinkedHashMap<>();
      EraseEvents.Outcome outcome =
          switch (request) {
            case EraseEventsRequest.Erase erase -> {
              line.put("selector", erase.selection().selector().kind());
              answer.put("narrowed", erase.selection().isNarrowed());
              yield eraseEvents.erase(erase, figures);
            }
            case EraseEventsRequest.End(UUID erasureId) -> {
              line.put("selector", "end");
              yield eraseEvents.end(erasureId, figures);
            }
          };
      figures.put(answer);
      answer.put("complete", false);
      return switch (outcome) {
        case EraseEvents.Outcome.Continues(Place next) -> {
          answer.put("next", next.text());
          yield answer;
        }
        case EraseEvents.Outcome.Waits(Place next, Optional<Instant> until, Duration pause) -> {
          answer.put("next", next.text());
          answer.put("wait_seconds", pause.toSeconds());
          line.put("wait_seconds", pause.toSeconds());
          until.ifPresent(it -> answer.put("whole_until", Timestamp.of(it)));
          yield answer;
        }
        case EraseEvents.Outcome.Ends(Erasure erasure) -> {
          ErasureJson.putIds(answer, "not_judged", erasure.notJudged()); // of all calls
          answer.put("complete", erasure.isComplete());
          line.put("complete", erasure.isComplete());
          answer.put("proof", ErasureJson.members(erasure));
          yield answer;
        }
        case EraseEvents.Outcome.FeedNotWhole(String why) ->
            Problem.body(requestId, ProblemCode.FEED_NOT_WHOLE, why);
        case EraseEvents.Outcome.UnknownErasure() ->
            Problem.body(requestId, ProblemCode.NOT_FOUND, "No erasure has this id.");
        case EraseEvents.Outcome.Refused(Fault fault) ->
            Problem.body(requestId, Reason.invalid(List.of(fault)));
      };
    } finally {
      figures.log(line);
    }
  }
}
