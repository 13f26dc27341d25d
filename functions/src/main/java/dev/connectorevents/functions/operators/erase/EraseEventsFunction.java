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
 * The Lambda function for {@link EraseEvents}: it erases events for ever, and keeps a proof of
 * that. Operators invoke it with IAM; it never has a route. {@code operate/erase} sends these
 * events until an erasure is complete.
 *
 * <p>The event has a selection, as {@link dev.connectorevents.functions.operators.SelectionReader}
 * says, and {@code reason}, for the proof: 1 to 255 characters, and no person's name. Unknown
 * members are refused: a slip must not erase. Before you erase, send the same event to {@code
 * FindEventsFunction}, without {@code reason}.
 *
 * <p>The first call only begins: it erases nothing, and returns {@code erasure_id} and {@code
 * next}. Send the same event with this {@code next}, and go on until an answer has no {@code next}:
 * each takes one step. If there is no answer, repeat the call. An erasure that is interrupted
 * anywhere, and goes on, ends in the same state. A call that is repeated after the end changes
 * nothing. Of two callers, what the first has written of a step, the other takes. In {@code next},
 * an {@code erasure_id} alone is the step that is open. A call takes at most 45 s, whatever the
 * payloads are: the next call goes on after the last event that it has judged.
 *
 * <p>{@code {"end": ID}}, the id of an erasure, with or without {@code next}: {@code end} ends an
 * erasure early. It erases what the open step has named, and selects no more; {@code complete} is
 * never {@code true}, and the proof says {@code stopped}.
 *
 * <p>The answer:
 *
 * <ul>
 *   <li>{@code matched}, {@code ids}: the events of this call's step, at most 1,000. Neither erased
 *       events nor ids without an event are among them.
 *   <li>{@code narrowed}: whether there is a {@code where}, {@code event_type} or {@code to} beside
 *       the selector; if so, some of the selector's events may stay.
 *   <li>{@code not_judged}: ids of events that {@code where} cannot judge: the payload is damaged,
 *       or takes a whole call. Erase them by {@code ids}. The last answer has those of all calls.
 *       An erasure with more than 1,000 of them is refused.
 *   <li>{@code erased}: how many. Not among them: an event whose retention had passed, which is
 *       deleted; one that another erasure has erased meanwhile; one whose key has got a new event
 *       that is not selected.
 *   <li>{@code wait_seconds}, {@code whole_until}: there if the erasure must wait for the feed:
 *       when to ask again, with the same {@code next}, and up to when the feed has all, if anybody
 *       knows.
 *   <li>{@code complete}: {@code true} in the last answer, unless an event could not be judged.
 *       Then every selected event is erased that was acknowledged before the first call. {@code
 *       proof} is in the last answer too.
 * </ul>
 *
 * <p>By {@code ids}, by {@code where} alone, or with {@code scan}, it reads the table consistently,
 * and does not wait. By {@code brand_id} it reads the index {@code by_brand}; then it reads what
 * the feed has since an hour before it began. By {@code user_id} it reads the feed from a minute
 * before {@code from}. The feed is read only when it has all that was stored before the erasure
 * began. It waits for as long as the feed takes, days too.
 *
 * <p>An erased event leaves a tombstone: {@code id}, {@code erased_at}, {@code erasure_id} and, if
 * it was sent without a key, {@code expires_at}, 35 days ahead.
 *
 * <p>The proof:
 *
 * <ul>
 *   <li>{@code selector}: {@code ids}, {@code brand_id}, {@code user_id} or {@code where}. Of a
 *       user, nothing else is kept.
 *   <li>{@code salt}, {@code brand_sha256}: of a brand: a random text, and the SHA-256 of this text
 *       followed by the brand.
 *   <li>{@code reason}, {@code narrowed}, {@code to}, {@code scan}, {@code not_judged}: as in the
 *       event and the answers; {@code not_judged} has the ids of the events that could not be
 *       judged, sorted.
 *   <li>{@code begun}: when the first call began.
 *   <li>{@code whole_since}, {@code whole_until}, {@code head}: up to where the feed was read, and
 *       between which times it had all. Without {@code whole_since}, it had all there ever was.
 *   <li>{@code index_lag_seconds}: how long an event may take from the table to the index, at most.
 *       The proof of a brand rests on that.
 *   <li>{@code ended}, {@code count}: when the last step was closed, and how many ids have a
 *       tombstone.
 *   <li>{@code chain}: the chain of the last step of the ledger: of each step the SHA-256, in
 *       hexadecimal digits, of the {@code chain} of the step before, a line feed, and the step's
 *       ids, sorted, each with a line feed. Before the first step it is the empty text.
 *   <li>{@code stopped}: {@code true} if the erasure was ended early.
 *   <li>{@code backups_until}: after this time, no point-in-time recovery holds the events: {@code
 *       BackupDays} after {@code ended}, and seven days for expired items that DynamoDB has yet to
 *       delete.
 * </ul>
 *
 * <p>The ledger, the table {@code ErasuresTableName}, has the proof as the item {@code
 * <erasure_id>}, and each step as {@code <erasure_id>#1} and so on: {@code ids}, written once,
 * before their events are erased; {@code not_judged}; {@code named}, the ids of tombstones that
 * {@code ids} has named; and {@code next}. A step is closed when each of its ids is settled: it
 * then keeps the ids that have a tombstone, and gets {@code count} and {@code chain}. Nothing of it
 * expires.
 *
 * <p>An error has the form of the API's; {@code status} is only a member of it:
 *
 * <ul>
 *   <li>400 {@code malformed_json}: the event is not one JSON object, or has a name twice.
 *   <li>404 {@code not_found}: no erasure has the id of {@code end}.
 *   <li>409 {@code feed_not_whole}: The feed does not have all that the erasure needs, or is
 *       another one than when it began. Fill it, or send {@code "scan": true}; then begin an
 *       erasure anew.
 *   <li>422 {@code validation_failed}: a member breaks its rule; {@code next} belongs to another
 *       event, or to an erasure that the ledger does not have; or more than 1,000 events could not
 *       be judged.
 *   <li>503 {@code temporarily_unavailable}: DynamoDB does not answer; send the same event again.
 * </ul>
 *
 * <p>The functions for operators fail if they receive an event of API Gateway: somebody has then
 * given them a route.
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
