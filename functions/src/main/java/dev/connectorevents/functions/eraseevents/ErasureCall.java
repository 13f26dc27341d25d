package dev.connectorevents.functions.eraseevents;

import dev.connectorevents.event.ErasableEvent;
import dev.connectorevents.event.ErasableEvents;
import dev.connectorevents.event.Erasure;
import dev.connectorevents.event.ErasureLedger;
import dev.connectorevents.event.ErasureSelector;
import dev.connectorevents.http.Fault;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** One call of an erasure, or of a dry run: from a progress to the next. */
final class ErasureCall {

  /**
   * How long a call works before it lets the caller go on. 5 s are left, for the erasure of the
   * last page.
   */
  private static final Duration LONGEST_CALL = Duration.ofSeconds(40);

  /** The most ids that a call names, less those of one page. */
  private static final int ENOUGH_IDS = 900;

  private static final Fault TOO_MANY_NOT_JUDGED =
      new Fault(
          "/where",
          "more than %d events cannot be judged. show names them: erase them by ids, then begin anew"
              .formatted(Erasure.MAX_NOT_JUDGED));

  private final boolean isDryRun;
  private final Selection selection;
  private final Duration lag;
  private final ErasureLedger ledger;
  private final EventEraser eraser;
  private final LedgerCheck ledgerCheck;
  private final Clock clock;
  private final Instant end;
  private final CallFigures figures;

  /**
   * @param lag how long an event may take from its creation until the selection finds it
   */
  ErasureCall(
      EraseEventsRequest.Erase request,
      Duration lag,
      ErasableEvents events,
      ErasureLedger ledger,
      EventEraser eraser,
      LedgerCheck ledgerCheck,
      Clock clock,
      CallFigures figures) {
    this.isDryRun = request.isDryRun();
    this.end = clock.instant().plus(LONGEST_CALL);
    this.selection = new Selection(request, events, clock, end);
    this.lag = lag;
    this.ledger = ledger;
    this.eraser = eraser;
    this.ledgerCheck = ledgerCheck;
    this.clock = clock;
    this.figures = figures;
  }

  EraseEventsOutcome from(ErasureProgress progress) {
    progress.erasureId().ifPresent(figures::of);
    Optional<Erasure> proved =
        progress.erasureId().flatMap(ledger::find).filter(it -> it.proof().isPresent());
    if (proved.isPresent()) {
      // Some of its tombstones may have expired since. A new check would shrink the proof.
      return new EraseEventsOutcome.Ends(proved.get());
    }
    if (clock.instant().isBefore(progress.notBefore())) {
      return goOn(progress);
    }
    return progress.checked().isPresent() ? check(progress) : select(progress);
  }

  /** The caller goes on, after a wait if the next pass may not begin yet. */
  EraseEventsOutcome goOn(ErasureProgress progress) {
    progress.erasureId().ifPresent(figures::of);
    Duration wait = Duration.between(clock.instant(), progress.notBefore());
    return new EraseEventsOutcome.Continues(progress, wait.isPositive() ? wait : Duration.ZERO);
  }

  private EraseEventsOutcome select(ErasureProgress begin) {
    ErasureProgress progress = begin;
    do {
      Selection.Page page = selection.page(progress.begun(), progress.after());
      figures.addMatched(page.events());
      figures.addHints(selection.hints());
      int ledgerPages = erase(page.events(), progress);
      if (!keepNotJudged(progress)) {
        return new EraseEventsOutcome.Refused(TOO_MANY_NOT_JUDGED);
      }
      progress = progress.afterPage(page.next(), progress.absent() + page.absent(), ledgerPages);
      if (page.isLast()) {
        return endOfPass(progress);
      }
    } while (figures.ids() <= ENOUGH_IDS && clock.instant().isBefore(end));
    return goOn(progress);
  }

  /** Names the events in the proof that cannot be judged; false if they are too many. */
  private boolean keepNotJudged(ErasureProgress progress) {
    Set<UUID> notJudged = selection.notJudged();
    figures.addNotJudged(notJudged);
    return isDryRun
        || notJudged.isEmpty()
        || ledger.addNotJudged(progress.erasureId().orElseThrow(), notJudged);
  }

  /** Writes the ids into the ledger, then erases. Returns how many pages the ledger has. */
  private int erase(List<ErasableEvent> events, ErasureProgress progress) {
    if (events.isEmpty() || isDryRun) {
      return progress.pages();
    }
    UUID erasureId = progress.erasureId().orElseThrow();
    Set<UUID> ids = events.stream().map(ErasableEvent::id).collect(Collectors.toSet());
    int page = progress.pages() + 1;
    while (!ledger.add(erasureId, page, ids)) {
      page++; // of a call whose answer the caller did not get
    }
    figures.addErased(eraser.erase(events, selection, erasureId, progress.begun()));
    return page;
  }

  private EraseEventsOutcome endOfPass(ErasureProgress progress) {
    if (isDryRun) {
      return new EraseEventsOutcome.DryRunEnds();
    }
    Instant settled = progress.begun().plus(lag);
    boolean isFound = selection.selector() instanceof ErasureSelector.Ids && progress.absent() == 0;
    return isFound || !progress.notBefore().isBefore(settled)
        ? check(progress.afterChecking(0))
        : goOn(progress.nextPass(settled));
  }

  private EraseEventsOutcome check(ErasureProgress begin) {
    ErasureProgress progress = begin;
    UUID erasureId = progress.erasureId().orElseThrow();
    int page = progress.checked().orElseThrow() + 1;
    while (ledgerCheck.correct(erasureId, page)) {
      progress = progress.afterChecking(page);
      if (!clock.instant().isBefore(end)) {
        return goOn(progress);
      }
      page++;
    }
    return new EraseEventsOutcome.Ends(ledgerCheck.prove(erasureId, page - 1));
  }
}
