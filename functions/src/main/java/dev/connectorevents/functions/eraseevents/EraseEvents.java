package dev.connectorevents.functions.eraseevents;

import dev.connectorevents.SideBySide;
import dev.connectorevents.event.ErasableEvents;
import dev.connectorevents.event.Erasure;
import dev.connectorevents.event.ErasureLedger;
import dev.connectorevents.event.ErasureLedger.Closed;
import dev.connectorevents.event.ErasureLedger.Step;
import dev.connectorevents.event.ErasureSelector;
import dev.connectorevents.event.EventIds;
import dev.connectorevents.eventformat.SelectedEvents;
import dev.connectorevents.feed.FeedMarks;
import dev.connectorevents.functions.eraseevents.EraseEventsRequest.Place;
import dev.connectorevents.http.Fault;
import dev.connectorevents.token.RandomText;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Erases the events of a selection, step by step.
 *
 * <p>The first call only begins: from then on the caller knows the erasure, and may be interrupted
 * at any time. Each further call takes one step: it selects events, writes their ids into the
 * ledger, erases them, and closes the step with those that have a tombstone. What is written of a
 * step is what every call of this step erases, however often it is made, by whomever.
 */
final class EraseEvents {

  private static final Fault UNKNOWN_ERASURE =
      new Fault(
          "/next",
          "the next that this same request got, of an erasure in the ledger; nothing is erased");

  private static final Fault TOO_MANY_NOT_JUDGED =
      new Fault(
          "/where",
          "more than %d events cannot be judged; show names them. Erase them by ids, then begin anew"
              .formatted(Erasure.MAX_NOT_JUDGED));

  /** In characters. */
  private static final int SALT_LENGTH = 32;

  /**
   * How long an expired item may stay until DynamoDB deletes it. Until then, a backup can hold the
   * parts of an event that has expired or was replaced. AWS says "within a few days"; see <a
   * href="https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TTL.html">Using time to
   * live</a>.
   */
  private static final Duration TIME_TO_LIVE_DELAY = Duration.ofDays(7);

  private final ErasableEvents events;
  private final ErasureLedger ledger;
  private final FeedMarks marks;
  private final SideBySide sideBySide;
  private final EventIds newIds;
  private final RandomGenerator random;
  private final Clock clock;
  private final Duration backups;

  /**
   * @param backups how long a backup of the table is kept
   */
  EraseEvents(
      ErasableEvents events,
      ErasureLedger ledger,
      FeedMarks marks,
      SideBySide sideBySide,
      RandomGenerator random,
      Clock clock,
      Duration backups) {
    this.events = events;
    this.ledger = ledger;
    this.marks = marks;
    this.sideBySide = sideBySide;
    this.clock = Clock.tick(clock, Duration.ofMillis(1)); // created_at has milliseconds
    this.newIds = new EventIds(clock, random);
    this.random = random;
    this.backups = backups;
  }

  /** How one call ended. {@link CallFigures} has what it did. */
  sealed interface Outcome {

    /** There is more to do in a step. */
    record Continues(Place next) implements Outcome {}

    /**
     * The feed is not so far.
     *
     * @param since when its marks were written
     * @param pause when to ask again
     */
    record Waits(Place next, Instant since, Duration pause) implements Outcome {}

    /** All is erased, but for the events that could not be judged. */
    record Ends(Erasure erasure) implements Outcome {}

    /** The stream has lost marks: what was stored with them is not in the feed. */
    record FeedLostRecords() implements Outcome {}

    /** The erasure cannot go on. */
    record Refused(Fault fault) implements Outcome {}
  }

  /**
   * Makes one call.
   *
   * @param figures gets what the call does
   */
  Outcome erase(EraseEventsRequest request, CallFigures figures) {
    if (request.next().isEmpty()) {
      return begin(request, figures);
    }
    Place place = request.next().get();
    figures.of(place.erasureId());
    Optional<Erasure> erasure = ledger.find(place.erasureId()).filter(request::fits);
    if (erasure.isEmpty()) {
      return new Outcome.Refused(UNKNOWN_ERASURE);
    }
    if (erasure.get().proof().isPresent()) {
      return new Outcome.Ends(erasure.get());
    }
    Optional<Step> before =
        place.step() == 1 ? Optional.empty() : ledger.step(place.erasureId(), place.step() - 1);
    Optional<Closed> erasedBefore =
        place.step() == 1
            ? Optional.of(Closed.NOTHING)
            : before.filter(step -> !step.isLast()).flatMap(Step::closed);
    if (erasedBefore.isEmpty()) {
      return new Outcome.Refused(UNKNOWN_ERASURE); // somebody has made it up
    }
    StepCall call =
        new StepCall(
            erasure.get(),
            place.step(),
            new SelectedEvents(request.selection(), events, clock, StepCall.endOfSelection(clock)),
            events,
            ledger,
            marks,
            sideBySide,
            clock,
            figures);
    return switch (call.make(before.flatMap(Step::next))) {
      case StepCall.Outcome.Late() -> new Outcome.Continues(place);
      case StepCall.Outcome.Waits(Duration pause) ->
          new Outcome.Waits(place, erasure.get().begun(), pause);
      case StepCall.Outcome.FeedLostRecords() -> new Outcome.FeedLostRecords();
      case StepCall.Outcome.Settled(Step step, Set<UUID> notJudged) ->
          close(erasure.get(), place, step, notJudged, erasedBefore.get());
    };
  }

  private Outcome begin(EraseEventsRequest request, CallFigures figures) {
    UUID id = newIds.next();
    figures.of(id);
    Instant begun = clock.instant();
    ErasureSelector selector = request.selection().selector();
    boolean waits = selector.isBehind() && !request.selection().isScan();
    ledger.begin(
        new Erasure(
            id,
            request.reason(),
            selector.kind(),
            selector instanceof ErasureSelector.Brand(String brand)
                ? Optional.of(Erasure.SaltedBrand.of(brand, RandomText.of(SALT_LENGTH, random)))
                : Optional.empty(),
            request.selection().isNarrowed(),
            request.selection().narrowingTo(),
            request.selection().isScan(),
            begun,
            waits ? Optional.of(marks.begin(id)) : Optional.empty(),
            List.of(),
            Optional.empty()));
    return new Outcome.Continues(new Place(id, 1));
  }

  private Outcome close(
      Erasure erasure, Place place, Step step, Set<UUID> notJudged, Closed before) {
    UUID id = place.erasureId();
    if (!notJudged.isEmpty() && !ledger.addNotJudged(id, notJudged)) {
      return new Outcome.Refused(TOO_MANY_NOT_JUDGED);
    }
    Closed closed =
        step.closed()
            .orElseGet(() -> {
              Set<UUID> erased = events.erased(step.ids());
              return ledger.close(id, place.step(), erased, before.plus(erased));
            });
    if (!step.isLast()) {
      return new Outcome.Continues(new Place(id, place.step() + 1));
    }
    Instant ended = clock.instant();
    Set<UUID> maybeJudged = new HashSet<>(erasure.notJudged());
    maybeJudged.addAll(notJudged);
    ledger.end(
        id,
        new Erasure.Proof(ended, closed, ended.plus(backups).plus(TIME_TO_LIVE_DELAY)),
        events.erased(maybeJudged));
    return new Outcome.Ends(ledger.find(id).orElseThrow()); // with an earlier proof
  }
}
