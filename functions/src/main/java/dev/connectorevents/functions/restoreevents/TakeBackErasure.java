package dev.connectorevents.functions.restoreevents;

import dev.connectorevents.SideBySide;
import dev.connectorevents.event.Erasure;
import dev.connectorevents.event.ErasureLedger;
import dev.connectorevents.event.ErasureLedger.Step;
import dev.connectorevents.event.RestoredEvents;
import dev.connectorevents.event.RestoredEvents.NotCopied;
import dev.connectorevents.event.TakenBackEvents;
import dev.connectorevents.functions.restoreevents.RestoreEventsRequest.TakeBack;
import dev.connectorevents.functions.restoreevents.RestoreEventsRequest.TakeBack.Place;
import dev.connectorevents.http.Fault;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Takes an erasure back, call by call: stores its events anew. The first call only tells what is to
 * be erased again. A call may be repeated, and so may all: what is there is counted, not stored
 * once more.
 */
final class TakeBackErasure {

  /** A call ends after it has named so many events: its answer may have 6 MB. */
  private static final int MOST_NOT_COPIED = 1_000;

  private static final Fault NOT_ENDED =
      new Fault("/take_back", "an erasure that has ended: run its command again until it has");
  private static final Fault TOO_MANY =
      new Fault("/take_back", "too much was erased since then: a call cannot compare with it");
  private static final Fault TOO_YOUNG =
      new Fault("/restore_from", "a table as it was before the erasure began");
  private static final Fault UNKNOWN_STEP = new Fault("/next", "the next of the call before");

  private final RestoredEvents restored;
  private final TakenBackEvents events;
  private final ErasureLedger ledger;
  private final SideBySide sideBySide;
  private final InstantSource clock;

  TakeBackErasure(
      RestoredEvents restored,
      TakenBackEvents events,
      ErasureLedger ledger,
      SideBySide sideBySide,
      InstantSource clock) {
    this.restored = restored;
    this.events = events;
    this.ledger = ledger;
    this.sideBySide = sideBySide;
    this.clock = clock;
  }

  /** How one call ended. */
  sealed interface Outcome {

    /**
     * It has stored nothing.
     *
     * @param toRepeat the erasures that are to be made again afterwards
     */
    record Begins(Erasure erasure, List<Erasure> toRepeat, Place next) implements Outcome {}

    /** There are more events. */
    record Continues(TakenBackEvents.Page figures, Place next) implements Outcome {}

    /** The proof says how many events are back. */
    record Ends(TakenBackEvents.Page figures, Erasure erasure, List<Erasure> toRepeat)
        implements Outcome {}

    record UnknownErasure() implements Outcome {}

    record Refused(Fault fault) implements Outcome {}
  }

  Outcome takeBack(TakeBack request) {
    Instant end = clock.instant().plus(RestoreEventsFunction.LONGEST_CALL);
    Optional<Erasure> erasure = ledger.find(request.erasureId());
    if (erasure.isEmpty()) {
      return new Outcome.UnknownErasure();
    }
    if (erasure.get().proof().isEmpty()) {
      return new Outcome.Refused(NOT_ENDED);
    }
    if (!restored.isThere(request.table())) {
      return new Outcome.Refused(new Fault("/restore_from", restored.rule()));
    }
    Optional<LaterErasures> later =
        LaterErasures.than(erasure.get(), ledger, sideBySide, clock, end);
    if (later.isEmpty()) {
      return new Outcome.Refused(TOO_MANY);
    }
    return request
        .next()
        .map(place -> takeBack(request, place, later.get(), end))
        .orElseGet(() -> new Outcome.Begins(erasure.get(), later.get().toRepeat(), Place.FIRST));
  }

  private Outcome takeBack(TakeBack request, Place from, LaterErasures later, Instant end) {
    Sum sum = new Sum();
    Place place = from;
    do {
      Optional<Step> step = ledger.step(request.erasureId(), place.step());
      if (step.isEmpty()) {
        return new Outcome.Refused(UNKNOWN_STEP); // somebody has made it up
      }
      List<UUID> ids = window(step.get(), place.index());
      Optional<TakenBackEvents.Page> page =
          events.takeBack(request.table(), request.erasureId(), ids, later);
      if (page.isEmpty()) {
        return new Outcome.Refused(TOO_YOUNG);
      }
      sum.add(page.get());
      int there = place.takenBack() + page.get().takenBack();
      int index = place.index() + ids.size();
      if (index < step.get().ids().size()) {
        place = new Place(place.step(), index, there);
      } else if (step.get().isLast()) {
        return end(request, there, sum.page(), later);
      } else {
        place = new Place(place.step() + 1, 0, there);
      }
    } while (clock.instant().isBefore(end) && sum.notCopied.size() < MOST_NOT_COPIED);
    return new Outcome.Continues(sum.page(), place);
  }

  /** Some ids of a step, in an order that each call finds again. */
  private static List<UUID> window(Step step, int index) {
    return step.ids().stream()
        .sorted(Comparator.comparing(UUID::toString))
        .skip(index)
        .limit(TakenBackEvents.MAX_IDS)
        .toList();
  }

  private Outcome end(
      TakeBack request, int count, TakenBackEvents.Page figures, LaterErasures later) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    ledger.takeBack(request.erasureId(), new Erasure.TakenBack(now, count, request.reason()));
    return new Outcome.Ends(
        figures, ledger.find(request.erasureId()).orElseThrow(), later.toRepeat());
  }

  /** The figures of one call. */
  private static final class Sum {

    private final List<NotCopied> notCopied = new ArrayList<>();
    private int takenBack;
    private int stayErased;
    private int expired;

    void add(TakenBackEvents.Page page) {
      takenBack += page.takenBack();
      stayErased += page.stayErased();
      expired += page.expired();
      notCopied.addAll(page.notCopied());
    }

    TakenBackEvents.Page page() {
      return new TakenBackEvents.Page(takenBack, stayErased, expired, notCopied);
    }
  }
}
