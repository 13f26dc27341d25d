package dev.connectorevents.functions.operators.find;

import dev.connectorevents.erasure.ErasableEvents;
import dev.connectorevents.erasure.Erasure;
import dev.connectorevents.erasure.ErasureJson;
import dev.connectorevents.erasure.ErasureLedger;
import dev.connectorevents.feed.FeedReader;
import dev.connectorevents.feed.WholeFeed;
import dev.connectorevents.functions.operators.OperatorFunction;
import dev.connectorevents.functions.operators.OperatorHandler;
import dev.connectorevents.functions.operators.find.FindEventsRequest.Entries;
import dev.connectorevents.functions.operators.find.FindEventsRequest.Find;
import dev.connectorevents.functions.operators.find.FindEventsRequest.ListProofs;
import dev.connectorevents.functions.operators.find.FindEventsRequest.Look;
import dev.connectorevents.functions.operators.find.FindEventsRequest.Show;
import dev.connectorevents.functions.wiring.Wiring;
import dev.connectorevents.http.Fault;
import dev.connectorevents.http.Problem;
import dev.connectorevents.http.ProblemCode;
import dev.connectorevents.http.Reason;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * The Lambda function for {@link FindEvents}; it also shows proofs. It only reads. Operators invoke
 * it with IAM; it never has a route. Whoever may invoke it can learn by guesses what payloads say:
 * so it is a right to personal data. Its event is one of
 *
 * <ul>
 *   <li>a selection, as {@link dev.connectorevents.functions.operators.SelectionReader} says, and
 *       {@code next}: finds the events, changes nothing, writes no proof and never waits. {@code
 *       from} and {@code to} may stand beside any selector, each by itself.
 *   <li>{@code brand_id} and {@code "without_brand": true}: finds what an erasure by this brand
 *       leaves: the events without a brand, of the providers that have sent events of the brand,
 *       erased ones too.
 *   <li>{@code show}: Returns the proof of the erasure with this id, as {@code erasure}. With
 *       {@code "ids": true} and {@code next}, also a step of the ledger, as {@code ids} and {@code
 *       named}: {@code ids} of a step that is not closed are those to be erased.
 *   <li>{@code "list": true} and {@code next}: returns a page of all proofs, in no order, as {@code
 *       erasures}. It may be empty: only an absent {@code next} ends the list.
 *   <li>{@code event}, an id: returns what is stored under it, as {@code event}: its type, user,
 *       {@code created_at}, {@code has_brand}, the {@code bytes} of its payload, {@code items} and
 *       {@code expires_at}; or, of a tombstone, {@code erased_at}, {@code erasure_id} and {@code
 *       expires_at}; or nothing.
 *   <li>{@code "entries": true} with {@code ids} (up to 1,000), {@code from}, {@code until} (a
 *       position) and {@code next} (a cursor): returns what the feed has, of what is gone too, as
 *       {@code feed}, {@code head}, {@code searched} and {@code entries}. An entry has {@code
 *       position}, {@code numbered_at}, {@code id} and, of an event, {@code created_at}, {@code
 *       event_type}, {@code user_id} and {@code brand_hash}; of an erasure, {@code erased_at}.
 * </ul>
 *
 * <p>The answer to a search:
 *
 * <ul>
 *   <li>{@code matched}, {@code ids}: the events that this call has found, at most 1,000.
 *   <li>{@code searched}, {@code read_units}: how many events this call has looked at, and what
 *       that has cost of {@code EventsTable} and its index. With {@code user_id}, the feed costs
 *       more.
 *   <li>{@code places}, {@code more_places}: A search with a {@code contains} says where its events
 *       match, with {@code *} for the index of an array's element. {@code places} are of this call:
 *       the 20 with the most events. No value is in them.
 *   <li>{@code hints}: A search that finds nothing names in {@code hints} what an event has
 *       instead: at most three conditions that would have matched.
 *   <li>{@code not_judged}: as of an erasure.
 *   <li>{@code whole_since}, {@code whole_until}: if the search has read the feed, between which
 *       times it has all. Absent if nobody knows, the first also if it has all.
 *   <li>{@code next}: there if there is more to find. Send the same event with it.
 * </ul>
 *
 * <p>The errors are those of an erasure. Each call leaves a line in the log, with the kind of the
 * selector, the pointers and the figures, and no value.
 */
public final class FindEventsFunction extends OperatorFunction {

  private static final Fault UNKNOWN_NEXT = new Fault("/next", Find.OTHER_NEXT);

  private static final Fault OTHER_FEED =
      new Fault("/next", "a cursor of the feed as it is: it was made anew since, or ends before");

  /** The step that an erasure would take next. */
  private static final ErasureLedger.Step NOT_WRITTEN =
      new ErasureLedger.Step(Set.of(), Set.of(), Set.of(), Optional.empty());

  public FindEventsFunction() {
    this(System.getenv());
  }

  public FindEventsFunction(Map<String, String> environment) {
    super(handler(new Wiring(environment)));
  }

  /** Handles operators' events with parts of this wiring. */
  public static OperatorHandler handler(Wiring wiring) {
    return handler(
        wiring.erasableEvents(), wiring.wholeFeed(), wiring.erasureLedger(), wiring.clock());
  }

  static OperatorHandler handler(
      ErasableEvents events, WholeFeed feed, ErasureLedger ledger, InstantSource clock) {
    FindEvents findEvents = new FindEvents(events, feed, clock);
    FindEntries findEntries = new FindEntries(new FeedReader(feed, clock), clock);
    return OperatorHandler.of(
        FindEventsRequest::read,
        (requestId, request, line) ->
            switch (request) {
              case Find find -> {
                try {
                  Instant now = clock.instant();
                  Instant begun =
                      find.next().map(Find.Place::begun).filter(now::isAfter).orElse(now);
                  yield found(
                      find,
                      findEvents.find(find.selection(), begun, find.next().map(Find.Place::page)),
                      line);
                } catch (ErasableEvents.UnknownPlaceException e) {
                  yield Problem.body(requestId, Reason.invalid(List.of(UNKNOWN_NEXT)));
                }
              }
              case Show(UUID erasureId, Optional<Integer> step) -> {
                line.put("erasure_id", erasureId.toString());
                yield ledger
                    .find(erasureId)
                    .map(it -> show(it, step, ledger))
                    .orElseGet(() ->
                        Problem.body(requestId, ProblemCode.NOT_FOUND, "No erasure has this id."));
              }
              case ListProofs(Optional<String> after) -> list(ledger.list(after));
              case Look(UUID id) -> {
                line.put("event_id", id.toString());
                yield StoredJson.answer(id, events);
              }
              case Entries asked -> {
                try {
                  yield findEntries.find(asked, line);
                } catch (FindEntries.OtherFeedException e) {
                  yield Problem.body(requestId, Reason.invalid(List.of(OTHER_FEED)));
                }
              }
            });
  }

  /** The log has the kinds of what was asked and the figures of the answer, and no value. */
  private static Map<String, Object> found(
      Find find, FindEvents.Found found, Map<String, Object> line) {
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("matched", found.ids().size());
    answer.put("searched", found.searched());
    answer.put("read_units", found.readUnits());
    line.put("selector", find.selection().selector().kind());
    if (!find.selection().where().isEmpty()) {
      line.put("pointers", find.selection().where().pointers());
    }
    line.putAll(answer);
    answer.put("ids", ErasureJson.texts(found.ids()));
    if (!found.notJudged().isEmpty()) {
      line.put("not_judged", found.notJudged().size());
    }
    ErasureJson.putIds(answer, "not_judged", found.notJudged());
    found.whole().ifPresent(whole -> ErasureJson.putTimes(answer, whole));
    if (!found.hints().isEmpty()) {
      answer.put("hints", found.hints());
    }
    if (!found.places().isEmpty()) {
      answer.put(
          "places", found.places().entrySet().stream().map(FindEventsFunction::place).toList());
    }
    if (found.hasMorePlaces()) {
      answer.put("more_places", true);
    }
    found
        .next()
        .ifPresent(
            page -> answer.put("next", new Find.Place(found.begun(), page).text(find.digest())));
    return answer;
  }

  private static Map<String, Object> place(Map.Entry<FindEvents.Place, Integer> place) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("event_type", place.getKey().eventType());
    members.put("pointer", place.getKey().pointer());
    members.put("events", place.getValue());
    return members;
  }

  private static Map<String, Object> show(
      Erasure erasure, Optional<Integer> step, ErasureLedger ledger) {
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("erasure", ErasureJson.members(erasure));
    step.ifPresent(
        number -> putStep(answer, number, ledger.step(erasure.id(), number).orElse(NOT_WRITTEN)));
    return answer;
  }

  private static void putStep(Map<String, Object> answer, int number, ErasureLedger.Step step) {
    answer.put("ids", ErasureJson.texts(step.ids()));
    ErasureJson.putIds(answer, "named", step.named());
    if (!step.isLast()) {
      answer.put("next", Integer.toString(number + 1));
    }
  }

  private static Map<String, Object> list(ErasureLedger.Page page) {
    Map<String, Object> answer = new LinkedHashMap<>();
    List<Map<String, Object>> erasures =
        page.erasures().stream().map(ErasureJson::members).toList();
    answer.put("erasures", erasures);
    page.next().ifPresent(next -> answer.put("next", next));
    return answer;
  }
}
