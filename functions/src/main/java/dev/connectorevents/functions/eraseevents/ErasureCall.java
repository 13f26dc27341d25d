package dev.connectorevents.functions.eraseevents;

import dev.connectorevents.event.ErasableEvent;
import dev.connectorevents.event.ErasableEvents;
import dev.connectorevents.event.Erasure;
import dev.connectorevents.event.ErasureLedger;
import dev.connectorevents.http.Fault;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** One call of an erasure, or of a dry run: from a progress to the next. */
final class ErasureCall {

  /** The most ids that a call names, less those of one page. */
  private static final int ENOUGH_IDS = 900;

  private static final Fault TOO_MANY_NOT_JUDGED =
      new Fault(
          "/where",
          "more than %d events cannot be judged; show names them. Erase them by ids, then begin anew"
              .formatted(Erasure.MAX_NOT_JUDGED));

  private final Selection selection;
  private final ErasableEvents events;
  private final ErasureLedger ledger;
  private final EventEraser eraser;
  private final LedgerCheck ledgerCheck;
  private final Clock clock;
  private final Instant end;
  private final CallFigures figures;

  ErasureCall(
      EraseEventsRequest.Erase request,
      ErasableEvents events,
      ErasureLedger ledger,
      EventEraser eraser,
      LedgerCheck ledgerCheck,
      Clock clock,
      CallFigures figures) {
    this.end = clock.instant().plus(EraseEventsFunction.LONGEST_CALL);
    this.selection = new Selection(request, events, figures, clock, end);
    this.events = events;
    this.ledger = ledger;
    this.eraser = eraser;
    this.ledgerCheck = ledgerCheck;
    this.clock = clock;
    this.figures = figures;
  }

  /** Finds events that were created before a time, and changes nothing. */
  EraseEventsOutcome find(ErasureProgress begin, Instant before) {
    ErasureProgress progress = begin;
    do {
      Selection.Page page = selection.page(before, progress.after());
      figures.addMatched(page.events());
      figures.addNotJudged(selection.notJudged());
      figures.addHints(selection.hints());
      progress = progress.afterPage(page.next());
      if (page.isLast()) {
        return new EraseEventsOutcome.DryRunEnds();
      }
    } while (hasTime());
    return new EraseEventsOutcome.Continues(progress, Duration.ZERO);
  }

  EraseEventsOutcome erase(Erasure erasure, ErasureProgress progress) {
    if (erasure.proof().isPresent()) {
      // Some of its tombstones may have expired since. A new check would shrink the proof.
      return new EraseEventsOutcome.Ends(erasure);
    }
    if (progress.checked().isPresent()) {
      return prove(erasure, progress);
    }
    return select(erasure, progress);
  }

  private boolean hasTime() {
    return figures.ids() <= ENOUGH_IDS && clock.instant().isBefore(end);
  }

  private static EraseEventsOutcome goOn(ErasureProgress progress) {
    return new EraseEventsOutcome.Continues(progress, Duration.ZERO);
  }

  private EraseEventsOutcome select(Erasure erasure, ErasureProgress begin) {
    LedgerPages pages = new LedgerPages(events, ledger, erasure, begin.written(), clock, end);
    ErasureProgress progress = begin;
    do {
      Instant asked = clock.instant();
      Selection.Page page = selection.page(erasure.begun(), progress.after());
      Set<UUID> ids = page.events().stream().map(ErasableEvent::id).collect(Collectors.toSet());
      switch (pages.add(ids)) {
        case ADDED -> {
          figures.addMatched(page.events());
          figures.addErased(eraser.erase(page.events(), selection, erasure.id(), erasure.begun()));
        }
        case LATE -> {
          return goOn(progress.with(pages.written()));
        }
        case ENDED -> {
          return prove(erasure, progress.afterChecking(0));
        }
      }
      if (!canName(selection.notJudged(), erasure)) {
        return new EraseEventsOutcome.Refused(TOO_MANY_NOT_JUDGED);
      }
      figures.addNotJudged(selection.notJudged());
      progress = progress.afterPage(page.next());
      if (page.isLast()) {
        return end(erasure, progress.with(pages.written()), asked);
      }
    } while (hasTime());
    return goOn(progress.with(pages.written()));
  }

  /** Adds the events to the proof that this call could not judge. */
  private boolean canName(Set<UUID> notJudged, Erasure erasure) {
    return figures.notJudged().containsAll(notJudged)
        || ledger.addNotJudged(erasure.id(), notJudged);
  }

  /**
   * Ends the selection, unless what was acknowledged before the erasure began may still come to the
   * feed.
   *
   * @param asked when the last page was asked for
   */
  private EraseEventsOutcome end(Erasure erasure, ErasureProgress progress, Instant asked) {
    Duration wait = Duration.between(asked, erasure.begun().plus(erasure.lagAssumed()));
    return wait.isPositive()
        ? new EraseEventsOutcome.Continues(progress, wait)
        : prove(erasure, progress.afterChecking(0));
  }

  private EraseEventsOutcome prove(Erasure erasure, ErasureProgress progress) {
    return switch (ledgerCheck.check(erasure.id(), progress.checked().orElseThrow(), end)) {
      case LedgerCheck.Outcome.Late(int blocks) -> goOn(progress.afterChecking(blocks));
      case LedgerCheck.Outcome.Proved(Erasure proved) -> new EraseEventsOutcome.Ends(proved);
    };
  }
}
