package dev.connectorevents.functions.eraseevents;

import dev.connectorevents.SideBySide;
import dev.connectorevents.event.ErasableEvents;
import dev.connectorevents.event.Erasure;
import dev.connectorevents.event.ErasureLedger;
import dev.connectorevents.event.ErasureSelector;
import dev.connectorevents.event.EventIds;
import dev.connectorevents.event.EventQuery;
import dev.connectorevents.event.Events;
import dev.connectorevents.event.Sha256;
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

  /** In characters. */
  private static final int SALT_LENGTH = 32;

  private final ErasableEvents events;
  private final ErasureLedger ledger;
  private final EventEraser eraser;
  private final LedgerCheck ledgerCheck;
  private final EventIds newIds;
  private final RandomGenerator random;
  private final Clock clock;
  private final Duration indexLag;

  /**
   * @param indexLag how long an event may take from the table to its indexes
   * @param backups how long a backup of the table is kept
   */
  EraseEvents(
      ErasableEvents events,
      ErasureLedger ledger,
      SideBySide sideBySide,
      RandomGenerator random,
      Clock clock,
      Duration indexLag,
      Duration backups) {
    this.events = events;
    this.ledger = ledger;
    this.clock = Clock.tick(clock, Duration.ofMillis(1)); // created_at has milliseconds
    this.eraser = new EventEraser(events, sideBySide, this.clock);
    this.ledgerCheck = new LedgerCheck(events, ledger, sideBySide, this.clock, backups);
    this.newIds = new EventIds(clock, random);
    this.random = random;
    this.indexLag = indexLag;
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
    Duration lag = lag(request.selector());
    ErasureCall call =
        new ErasureCall(request, lag, events, ledger, eraser, ledgerCheck, clock, figures);
    if (request.progress().isPresent()) {
      return call.from(request.progress().get());
    }
    Instant now = clock.instant();
    return request.isDryRun()
        ? call.from(ErasureProgress.first(Optional.empty(), now, now))
        : call.goOn(begin(request, lag));
  }

  /** How long an event may take from its creation until the selection finds it. */
  private Duration lag(ErasureSelector selector) {
    Duration toTable = Events.LONGEST_WRITE.plus(Events.CLOCK_SKEW);
    return selector instanceof ErasureSelector.Brand ? toTable.plus(indexLag) : toTable;
  }

  private ErasureProgress begin(EraseEventsRequest.Erase request, Duration lag) {
    UUID id = newIds.next();
    Instant begun = clock.instant();
    ErasureSelector selector = request.selector();
    ledger.put(
        new Erasure(
            id,
            request.reason(),
            selector.kind(),
            brand(selector),
            Optional.of(request.isNarrowed()),
            begun,
            lag,
            List.of(),
            Optional.empty()));
    // A scan is dear: it waits until one suffices. The other selections begin at once.
    boolean isScan = selector instanceof ErasureSelector.All;
    return ErasureProgress.first(Optional.of(id), begun, isScan ? begun.plus(lag) : begun);
  }

  private Optional<Erasure.SaltedBrand> brand(ErasureSelector selector) {
    if (selector instanceof ErasureSelector.Brand(EventQuery.OfBrand brand)) {
      String salt = RandomText.of(SALT_LENGTH, random);
      return Optional.of(new Erasure.SaltedBrand(salt, Sha256.hex(salt + brand.value())));
    }
    return Optional.empty();
  }
}
