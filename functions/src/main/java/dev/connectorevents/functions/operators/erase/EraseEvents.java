package dev.connectorevents.functions.operators.erase;

import dev.connectorevents.SideBySide;
import dev.connectorevents.erasure.ErasableEvents;
import dev.connectorevents.erasure.Erasure;
import dev.connectorevents.erasure.ErasureLedger;
import dev.connectorevents.erasure.ErasureLedger.Closed;
import dev.connectorevents.erasure.ErasureLedger.Step;
import dev.connectorevents.erasure.ErasureSelector;
import dev.connectorevents.erasure.PayloadConditions;
import dev.connectorevents.erasure.SaltedHash;
import dev.connectorevents.erasure.SelectedEvents;
import dev.connectorevents.event.EventIds;
import dev.connectorevents.feed.FeedBeats;
import dev.connectorevents.functions.operators.SelectionReader;
import dev.connectorevents.functions.operators.erase.EraseEventsRequest.Erase;
import dev.connectorevents.functions.operators.erase.EraseEventsRequest.Place;
import dev.connectorevents.http.Fault;
import dev.connectorevents.token.RandomText;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
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

  private static final Fault UNKNOWN_NEXT =
      new Fault(
          "/next", SelectionReader.NEXT_RULE + ", with the same other members; nothing is erased");

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

  private static final PayloadConditions.Hints NO_HINTS = new PayloadConditions.Hints(0);

  private final Parts parts;
  private final EventIds newIds;
  private final RandomGenerator random;
  private final Duration backups;

  /** What a call works with. */
  record Parts(
      ErasableEvents events,
      ErasureLedger ledger,
      FeedBeats beats,
      SideBySide sideBySide,
      Clock clock) {

    Parts {
      clock = Clock.tick(clock, Duration.ofMillis(1)); // created_at has milliseconds
    }
  }

  /**
   * @param backups how long a backup of the table is kept
   */
  EraseEvents(Parts parts, RandomGenerator random, Duration backups) {
    this.parts = parts;
    this.newIds = new EventIds(parts.clock(), random);
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
     * @param until up to when it has all; empty if nobody knows
     * @param pause when to ask again
     */
    record Waits(Place next, Optional<Instant> until, Duration pause) implements Outcome {}

    /** All is erased, but for the events that could not be judged. */
    record Ends(Erasure erasure) implements Outcome {}

    /** The feed lacks what the erasure needs. */
    record FeedNotWhole(String why) implements Outcome {}

    /** The erasure cannot go on. */
    record Refused(Fault fault) implements Outcome {}

    /** There is none to end. */
    record UnknownErasure() implements Outcome {}
  }

  /**
   * Makes one call.
   *
   * @param figures gets what the call does
   */
  Outcome erase(Erase request, CallFigures figures) {
    if (request.next().isEmpty()) {
      return begin(request, figures);
    }
    Place place = request.next().get();
    figures.of(place.erasureId());
    Optional<Erasure> erasure =
        parts.ledger().find(place.erasureId()).filter(it -> it.request().isOf(request.digest()));
    if (erasure.isEmpty()) {
      return new Outcome.Refused(UNKNOWN_NEXT);
    }
    Instant end = StepCall.endOfSelection(parts.clock());
    return take(
        place.step(),
        erasure.get(),
        Optional.of(
            new SelectedEvents(
                request.selection(),
                parts.events(),
                parts.clock(),
                end,
                NO_HINTS,
                Optional.empty())),
        figures);
  }

  /**
   * Makes one call that ends an erasure early: it finishes the open step, or puts a stop in the
   * place of the next one, which no other call can select then.
   *
   * @param figures gets what the call does
   */
  Outcome end(UUID erasureId, CallFigures figures) {
    figures.of(erasureId);
    return parts
        .ledger()
        .find(erasureId)
        .map(erasure -> take(Optional.empty(), erasure, Optional.empty(), figures))
        .orElseGet(Outcome.UnknownErasure::new);
  }

  /**
   * Takes a step.
   *
   * @param asked its number; empty for the step that is open
   * @param selected empty to select no more
   */
  private Outcome take(
      Optional<Integer> asked,
      Erasure erasure,
      Optional<SelectedEvents> selected,
      CallFigures figures) {
    if (erasure.proof().isPresent()) {
      return new Outcome.Ends(erasure);
    }
    int number = asked.orElseGet(() -> openStep(erasure.id()));
    Optional<Step> before =
        number == 1 ? Optional.empty() : parts.ledger().step(erasure.id(), number - 1);
    Optional<Closed> erasedBefore =
        number == 1
            ? Optional.of(Closed.NOTHING)
            : before.filter(step -> !step.isLast()).flatMap(Step::closed);
    if (erasedBefore.isEmpty()) {
      return new Outcome.Refused(UNKNOWN_NEXT); // somebody has made it up
    }
    Place place = new Place(erasure.id(), Optional.of(number));
    StepCall call = new StepCall(parts, erasure, number, selected, figures);
    return switch (call.make(before.flatMap(Step::next))) {
      case StepCall.Outcome.Late() -> new Outcome.Continues(place);
      case StepCall.Outcome.Waits(Optional<Instant> until, Duration pause) ->
          new Outcome.Waits(place, until, pause);
      case StepCall.Outcome.FeedNotWhole(String why) -> new Outcome.FeedNotWhole(why);
      case StepCall.Outcome.Settled(Step step, Set<UUID> notJudged) -> {
        boolean isStopped = step.isStop() || selected.isEmpty();
        yield close(erasure, number, step, notJudged, isStopped, erasedBefore.get());
      }
    };
  }

  /** The step that is open: the first that is not closed, or the last. Looks at few of many. */
  private int openStep(UUID erasureId) {
    int open = 1;
    for (int stride = 1; stride > 0; ) {
      Optional<Step> step =
          parts.ledger().step(erasureId, open + stride - 1).filter(StepCall::isPassed);
      open += step.isPresent() ? stride : 0;
      stride = step.isPresent() ? stride * 2 : stride / 2;
    }
    return open;
  }

  private Outcome begin(Erase request, CallFigures figures) {
    UUID id = newIds.next();
    figures.of(id);
    Instant begun = parts.clock().instant();
    ErasureSelector selector = request.selection().selector();
    String salt = RandomText.of(SALT_LENGTH, random);
    boolean waits = selector.isBehind() && !request.selection().isScan();
    parts
        .ledger()
        .begin(
            new Erasure(
                id,
                request.reason(),
                selector.kind(),
                SaltedHash.of(request.digest(), salt),
                selector instanceof ErasureSelector.Brand(String brand)
                    ? Optional.of(SaltedHash.of(brand, salt))
                    : Optional.empty(),
                request.selection().isNarrowed(),
                request.selection().narrowingTo(),
                request.selection().isScan(),
                begun,
                waits ? Optional.of(parts.beats().begin(0)) : Optional.empty(),
                Optional.empty(),
                List.of(),
                Optional.empty()));
    return new Outcome.Continues(new Place(id, Optional.of(1)));
  }

  private Outcome close(
      Erasure erasure,
      int number,
      Step step,
      Set<UUID> notJudged,
      boolean isStopped,
      Closed before) {
    UUID id = erasure.id();
    boolean isNamed = notJudged.isEmpty() || parts.ledger().addNotJudged(id, notJudged);
    if (!isNamed && !isStopped) {
      return new Outcome.Refused(TOO_MANY_NOT_JUDGED);
    }
    Closed closed =
        step.closed()
            .orElseGet(() -> {
              Set<UUID> erased = parts.events().erased(step.ids());
              return parts.ledger().close(id, number, erased, before.plus(erased));
            });
    if (!step.isLast()) {
      return new Outcome.Continues(new Place(id, Optional.of(number + 1)));
    }
    Instant ended = parts.clock().instant();
    // Another call may have named some meanwhile.
    List<UUID> maybeJudged = parts.ledger().find(id).orElseThrow().notJudged();
    parts
        .ledger()
        .end(
            id,
            new Erasure.Proof(
                ended, closed, ended.plus(backups).plus(TIME_TO_LIVE_DELAY), isStopped),
            parts.events().erased(maybeJudged));
    return new Outcome.Ends(parts.ledger().find(id).orElseThrow()); // with an earlier proof
  }
}
