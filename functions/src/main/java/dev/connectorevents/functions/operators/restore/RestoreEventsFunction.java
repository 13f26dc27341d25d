package dev.connectorevents.functions.operators.restore;

import dev.connectorevents.erasure.ErasureJson;
import dev.connectorevents.erasure.ErasureLedger.Run;
import dev.connectorevents.erasure.RestoredEvents.NotCopied;
import dev.connectorevents.event.EventIds;
import dev.connectorevents.event.Timestamp;
import dev.connectorevents.feed.Whole;
import dev.connectorevents.functions.operators.OperatorFunction;
import dev.connectorevents.functions.operators.OperatorHandler;
import dev.connectorevents.functions.operators.SelectionReader;
import dev.connectorevents.functions.wiring.Wiring;
import dev.connectorevents.http.Fault;
import dev.connectorevents.http.Problem;
import dev.connectorevents.http.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The Lambda function for {@link RestoreEvents} and {@link FillFeed}: it brings events back, and
 * nothing that was erased. It deletes nothing. Operators invoke it with IAM; it never has a route.
 * {@code operate/restore} and {@code operate/feed} send its events again with {@code next} until it
 * is absent. Everything may be repeated.
 *
 * <p>{@code {"restore_from": TABLE}}, the name of {@code EventsTable} and then {@code -restored},
 * since the function's rights name no other. The first calls put tombstones for the ids of the
 * ledger under which the stack has nothing, also for the keys of events that were stored and erased
 * after the backup. The other calls copy events and tombstones where the stack has nothing under
 * their ids, and leave out what has expired. A copied event is as it was, with the attribute {@code
 * renumbered_at}: so the feed shows it once more, at its end. A tombstone has the time of its
 * write, and a new position too. Of this call, {@code restored} were copied, {@code kept} were
 * there already, and {@code erased} got a tombstone. {@code not_restored} has each event that
 * cannot be copied, with its {@code id} and the {@code reason}.
 *
 * <p>{@code {"fill": {"from": T, "to": T}}}, date-times with an offset, brings back to the feed
 * what it lacks of this time, {@code to} excluded, or makes a new feed of an empty {@code
 * FeedTable}. First it waits until the feed has come to a beat of this moment. Then it scans {@code
 * EventsTable} for the events and tombstones of the time, and of a minute before and after, and
 * gives those that the feed lacks the attribute {@code renumbered_at}. The stream then hands them
 * over. What is younger than a minute before the fill began, or was renumbered since then, is left
 * to the stream. An event that is replaced or erased meanwhile is left as it is. Of this call,
 * {@code searched} were looked at, and {@code renumbered} lacked; {@code wait_seconds} and {@code
 * whole_until} are as of an erasure. The last answer says what the feed holds: {@code whole_until}
 * and, if it may still lack something, {@code lost_from} and {@code whole_since}. A loss that is
 * too large for one call is filled in pieces, the newest first.
 *
 * <p>The errors are those of an erasure. 422 {@code validation_failed} also says that {@code
 * restore_from} names no table that may be read, or that the feed has more than 5,000,000 entries
 * of the time of {@code fill}: send shorter ones.
 */
public final class RestoreEventsFunction extends OperatorFunction {

  /**
   * How long a call begins further pages, before it lets the caller go on. The rest of the
   * function's time is for the last page, and for slow calls.
   */
  static final Duration LONGEST_CALL = Duration.ofSeconds(40);

  private static final Fault UNKNOWN_NEXT =
      new Fault("/next", SelectionReader.NEXT_RULE + ", with the same other members");

  public RestoreEventsFunction() {
    this(System.getenv());
  }

  public RestoreEventsFunction(Map<String, String> environment) {
    super(handler(new Wiring(environment)));
  }

  /** Handles operators' events with parts of this wiring. */
  public static OperatorHandler handler(Wiring wiring) {
    EventIds newIds = new EventIds(wiring.clock(), wiring.random());
    return handler(
        new RestoreEvents(wiring.restoredEvents(), wiring.erasureLedger(), wiring.clock()),
        new FillFeed(
            wiring.renumberedEvents(),
            wiring.wholeFeed(),
            wiring.feedBeats(),
            wiring.clock(),
            FillFeed.MOST_KNOWN),
        new RunSteps(wiring.erasureLedger(), newIds, wiring.random(), wiring.clock()));
  }

  static OperatorHandler handler(RestoreEvents restoreEvents, FillFeed fillFeed, RunSteps steps) {
    return OperatorHandler.of(
        RestoreEventsRequest::read,
        (requestId, request, line) -> {
          Optional<Run> run = steps.find(request.asked());
          if (request.asked().next().isPresent() && run.isEmpty()) {
            return Problem.body(requestId, Reason.invalid(List.of(UNKNOWN_NEXT)));
          }
          boolean isOver = run.isPresent() && run.get().place().isEmpty();
          Optional<String> from = run.flatMap(Run::place);
          Ending ending = place -> steps.end(request.asked(), run, place);
          return switch (request) {
            case RestoreEventsRequest.Restore(_, String table) ->
                restored(
                    requestId,
                    isOver
                        ? RestoreEvents.Outcome.Done.NOTHING
                        : restoreEvents.restore(table, from.map(RestorePlace::of)),
                    ending,
                    line);
            case RestoreEventsRequest.Fill(_, Instant begin, Instant end) ->
                filled(
                    requestId,
                    isOver ? fillFeed.ended() : fillFeed.fill(begin, end, from.map(FillPlace::of)),
                    ending,
                    line);
          };
        });
  }

  /** Writes where a call has ended. */
  @FunctionalInterface
  private interface Ending {

    /** Returns what the next call sends; empty if there is none. */
    Optional<RunSteps.Next> at(Optional<String> place);

    default void put(Optional<String> place, Map<String, Object> answer) {
      at(place).ifPresent(next -> answer.put("next", next.text()));
    }
  }

  private static Map<String, Object> filled(
      String requestId, FillFeed.Outcome outcome, Ending ending, Map<String, Object> line) {
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("searched", 0);
    answer.put("renumbered", 0);
    Optional<FillPlace> next = Optional.empty();
    switch (outcome) {
      case FillFeed.Outcome.Refused(Fault fault) -> {
        return Problem.body(requestId, Reason.invalid(List.of(fault)));
      }
      case FillFeed.Outcome.Continues done -> next = Optional.of(put(done, answer));
      case FillFeed.Outcome.Waits(var done, Optional<Instant> until, Duration pause) -> {
        next = Optional.of(put(done, answer));
        answer.put("wait_seconds", pause.toSeconds());
        until.ifPresent(it -> answer.put("whole_until", Timestamp.of(it)));
      }
      case FillFeed.Outcome.Ends(Optional<Whole> whole) -> {
        whole.ifPresent(it -> ErasureJson.putTimes(answer, it));
        whole
            .flatMap(Whole::gap)
            .ifPresent(gap -> answer.put("lost_from", Timestamp.of(gap.from())));
      }
    }
    line.putAll(answer);
    ending.put(next.map(FillPlace::text), answer);
    return answer;
  }

  private static FillPlace put(FillFeed.Outcome.Continues done, Map<String, Object> answer) {
    answer.put("searched", done.searched());
    answer.put("renumbered", done.renumbered());
    return done.next();
  }

  private static Map<String, Object> restored(
      String requestId, RestoreEvents.Outcome outcome, Ending ending, Map<String, Object> line) {
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
        ending.put(next.map(RestorePlace::text), answer);
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
