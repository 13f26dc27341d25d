package dev.connectorevents.functions.eraseevents;

import dev.connectorevents.event.Erasure;
import dev.connectorevents.event.RestoredEvents.NotCopied;
import dev.connectorevents.event.Timestamp;
import dev.connectorevents.feed.Segment;
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
import java.util.UUID;

/**
 * The Lambda function for {@link EraseEvents}. Operators invoke it with IAM; it never has a route.
 */
public final class EraseEventsFunction extends OperatorFunction {

  /**
   * How long a call begins further pages, before it lets the caller go on. The rest of the
   * function's time is for the last page, and for slow calls.
   */
  static final Duration LONGEST_CALL = Duration.ofSeconds(40);

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
            wiring.erasableEvents(),
            wiring.erasureLedger(),
            wiring.sideBySide(),
            wiring.random(),
            wiring.clock(),
            wiring.feedLag(),
            wiring.backups()),
        new RestoreEvents(wiring.restoredEvents(), wiring.erasureLedger(), wiring.clock()),
        new FillFeed(wiring.renumberedEvents(), wiring.feedLog(), wiring.clock()));
  }

  static OperatorHandler handler(
      EraseEvents eraseEvents, RestoreEvents restoreEvents, FillFeed fillFeed) {
    return OperatorHandler.of(
        EraseEventsRequest::read,
        (requestId, request, line) ->
            answer(requestId, eraseEvents, restoreEvents, fillFeed, request, line));
  }

  private static Map<String, Object> answer(
      String requestId,
      EraseEvents eraseEvents,
      RestoreEvents restoreEvents,
      FillFeed fillFeed,
      EraseEventsRequest request,
      Map<String, Object> line) {
    return switch (request) {
      case EraseEventsRequest.Erase erase -> erase(requestId, eraseEvents, erase, line);
      case EraseEventsRequest.Show(UUID erasureId) -> {
        line.put("erasure_id", erasureId.toString());
        yield show(requestId, eraseEvents.find(erasureId));
      }
      case EraseEventsRequest.ListProofs(Optional<String> after) ->
          EraseEventsAnswer.of(eraseEvents.list(after));
      case EraseEventsRequest.Restore(String table, RestorePlace place) ->
          restored(requestId, restoreEvents.restore(table, place), line);
      case EraseEventsRequest.Fill(Instant from, Instant to, Optional<FillPlace> place) ->
          filled(requestId, fillFeed.fill(from, to, place), line);
      case EraseEventsRequest.ShowFeed() -> feed(fillFeed.last());
    };
  }

  private static Map<String, Object> filled(
      String requestId, FillFeed.Outcome outcome, Map<String, Object> line) {
    return switch (outcome) {
      case FillFeed.Outcome.Refused(Fault fault) ->
          Problem.body(requestId, Reason.invalid(List.of(fault)));
      case FillFeed.Outcome.Done(int searched, int renumbered, Optional<FillPlace> next) -> {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("searched", searched);
        answer.put("renumbered", renumbered);
        line.putAll(answer);
        next.ifPresent(place -> answer.put("next", place.text()));
        yield answer;
      }
    };
  }

  private static Map<String, Object> feed(Optional<Segment> last) {
    Map<String, Object> feed = new LinkedHashMap<>();
    feed.put("head", last.map(Segment::last).orElse(0L));
    last.ifPresent(segment -> {
      feed.put("feed", segment.feed());
      feed.put("numbered_at", Timestamp.of(segment.at()));
    });
    return Map.of("feed", feed);
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
        if (!notCopied.isEmpty()) {
          line.put("not_restored", notCopied.size());
          answer.put(
              "not_restored",
              notCopied.stream()
                  .map(event -> Map.of("id", event.id(), "reason", event.reason()))
                  .toList());
        }
        next.ifPresent(place -> answer.put("next", place.text()));
        yield answer;
      }
    };
  }

  private static Map<String, Object> erase(
      String requestId,
      EraseEvents eraseEvents,
      EraseEventsRequest.Erase request,
      Map<String, Object> line) {
    line.put("selector", request.selector().kind());
    line.put("dry_run", request.isDryRun());
    CallFigures figures = new CallFigures();
    try {
      EraseEventsOutcome outcome = eraseEvents.erase(request, figures);
      Map<String, Object> answer = EraseEventsAnswer.of(requestId, request, outcome, figures);
      line.put("complete", answer.getOrDefault("complete", false));
      return answer;
    } finally {
      figures.log(line);
    }
  }

  private static Map<String, Object> show(String requestId, Optional<Erasure> erasure) {
    return erasure
        .map(EraseEventsAnswer::of)
        .orElseGet(() -> Problem.body(requestId, ProblemCode.NOT_FOUND, "No erasure has this id."));
  }
}
