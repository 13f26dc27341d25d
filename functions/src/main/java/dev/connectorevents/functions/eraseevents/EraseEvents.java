package dev.connectorevents.functions.eraseevents;

import dev.connectorevents.SideBySide;
import dev.connectorevents.event.ErasableEvents;
import dev.connectorevents.event.Erasure;
import dev.connectorevents.event.ErasureLedger;
import dev.connectorevents.event.ErasureSelector;
import dev.connectorevents.event.EventIds;
import dev.connectorevents.http.Fault;
import dev.connectorevents.token.RandomText;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Erases the events of a selection, call by call.
 *
 * <p>The first call only begins: from then on the caller knows the erasure, and may be interrupted
 * at any time. The next calls select events, write their ids into the ledger and erase them. The
 * last ones check the ledger, and write the proof.
 */
final class EraseEvents {

  private static final Fault UNKNOWN_ERASURE =
      new Fault(
          "/next",
          "the next that this same request got, of an erasure in the ledger; nothing is erased");

  /** In characters. */
  private static final int SALT_LENGTH = 32;

  private final ErasableEvents events;
  private final ErasureLedger ledger;
  private final EventEraser eraser;
  private final LedgerCheck ledgerCheck;
  private final EventIds newIds;
  private final RandomGenerator random;
  private final Clock clock;
  private final Duration feedLag;

  /**
   * @param feedLag how long an event may take, at the most, to its position in the feed
   * @param backups how long a backup of the table is kept
   */
  EraseEvents(
      ErasableEvents events,
      ErasureLedger ledger,
      SideBySide sideBySide,
      RandomGenerator random,
      Clock clock,
      Duration feedLag,
      Duration backups) {
    this.events = events;
    this.ledger = ledger;
    this.clock = Clock.tick(clock, Duration.ofMillis(1)); // created_at has milliseconds
    this.eraser = new EventEraser(events, sideBySide);
    this.ledgerCheck = new LedgerCheck(events, ledger, sideBySide, this.clock, backups);
    this.newIds = new EventIds(clock, random);
    this.random = random;
    this.feedLag = feedLag;
  }

  Optional<Erasure> find(UUID erasureId) {
    return ledger.find(erasureId);
  }

  ErasureLedger.Page list(Optional<String> after) {
    return ledger.list(after);
  }

  /**
   * Makes one call.
   *
   * @param figures gets what the call does
   */
  EraseEventsOutcome erase(EraseEventsRequest.Erase request, CallFigures figures) {
    if (!request.isDryRun() && request.progress().isEmpty()) {
      return begin(request, figures);
    }
    ErasureProgress progress =
        request
            .progress()
            .orElseGet(
                () -> ErasureProgress.first(new ErasureProgress.Run.DryRun(clock.instant())));
    ErasableEvents read = request.isDryRun() ? events.metered(figures::addReadUnits) : events;
    ErasureCall call = new ErasureCall(request, read, ledger, eraser, ledgerCheck, clock, figures);
    return switch (progress.run()) {
      case ErasureProgress.Run.DryRun(Instant begun) -> call.find(progress, begun);
      case ErasureProgress.Run.OfErasure(UUID id) -> {
        figures.of(id);
        yield ledger
            .find(id)
            .filter(request::fits)
            .map(erasure -> call.erase(erasure, progress))
            .orElse(new EraseEventsOutcome.Refused(UNKNOWN_ERASURE));
      }
    };
  }

  /** How long an event may take from its creation until the selection finds it. */
  private Duration lag(ErasureSelector selector) {
    return switch (selector) {
      case ErasureSelector.Brand _, ErasureSelector.Sender _ -> feedLag;
      case ErasureSelector.Ids _, ErasureSelector.All _ -> Duration.ZERO; // read consistently
    };
  }

  private EraseEventsOutcome begin(EraseEventsRequest.Erase request, CallFigures figures) {
    UUID id = newIds.next();
    figures.of(id);
    ErasureSelector selector = request.selector();
    Erasure erasure =
        new Erasure(
            id,
            request.reason(),
            selector.kind(),
            brand(selector),
            request.isNarrowed(),
            clock.instant(),
            lag(selector),
            List.of(),
            Optional.empty());
    ledger.begin(erasure);
    ErasureProgress progress = ErasureProgress.first(new ErasureProgress.Run.OfErasure(id));
    return new EraseEventsOutcome.Continues(progress, Duration.ZERO);
  }

  private Optional<Erasure.SaltedBrand> brand(ErasureSelector selector) {
    if (selector instanceof ErasureSelector.Brand(String brand)) {
      return Optional.of(Erasure.SaltedBrand.of(brand, RandomText.of(SALT_LENGTH, random)));
    }
    return Optional.empty();
  }
}
