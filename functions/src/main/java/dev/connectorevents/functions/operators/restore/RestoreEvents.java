package dev.connectorevents.functions.operators.restore;

import dev.connectorevents.erasure.Erasure;
import dev.connectorevents.erasure.ErasureLedger;
import dev.connectorevents.erasure.RestoredEvents;
import dev.connectorevents.erasure.RestoredEvents.NotCopied;
import dev.connectorevents.http.Fault;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Copies the events of a restored table, call by call. First it puts tombstones for all that the
 * ledger names: then no copy brings an erased event back. A call may be repeated, and so may all.
 */
final class RestoreEvents {

  /** A call ends after it has named so many events: its answer may have 6 MB. */
  private static final int MOST_NOT_COPIED = 1_000;

  private final RestoredEvents restored;
  private final ErasureLedger ledger;
  private final InstantSource clock;

  RestoreEvents(RestoredEvents restored, ErasureLedger ledger, InstantSource clock) {
    this.restored = restored;
    this.ledger = ledger;
    this.clock = clock;
  }

  /** How one call ended. */
  sealed interface Outcome {

    /**
     * It has copied.
     *
     * @param restored how many events were copied
     * @param kept how many were not: something is there
     * @param notCopied the events that cannot be copied
     * @param erased how many tombstones were put for what the ledger names
     * @param next empty at the end
     */
    record Done(
        int restored, int kept, List<NotCopied> notCopied, int erased, Optional<RestorePlace> next)
        implements Outcome {
      public Done {
        notCopied = List.copyOf(notCopied);
      }

      static final Done NOTHING = new Done(0, 0, List.of(), 0, Optional.empty());
    }

    record Refused(Fault fault) implements Outcome {}
  }

  /**
   * Makes one call.
   *
   * @param place where the call before ended; empty for the first one
   */
  Outcome restore(String table, Optional<RestorePlace> place) {
    if (!restored.isThere(table)) {
      return new Outcome.Refused(new Fault("/restore_from", restored.rule()));
    }
    Instant end = clock.instant().plus(RestoreEventsFunction.LONGEST_CALL);
    return switch (place.orElse(RestorePlace.InLedger.FIRST)) {
      case RestorePlace.InLedger from -> erase(table, from, end);
      case RestorePlace.InTable from -> copy(table, from, end, 0);
    };
  }

  private Outcome erase(String table, RestorePlace.InLedger from, Instant end) {
    int erased = 0;
    int number = from.step();
    Iterator<Erasure> erasures =
        Stream.concat(
                from.erasureId().flatMap(ledger::find).stream(),
                erasuresAfter(from.erasureId().map(UUID::toString)))
            .iterator();
    while (erasures.hasNext()) {
      Erasure erasure = erasures.next();
      Optional<ErasureLedger.Step> step;
      do {
        if (!clock.instant().isBefore(end)) { // also if no erasure has an id: each takes a read
          RestorePlace next = new RestorePlace.InLedger(Optional.of(erasure.id()), number);
          return new Outcome.Done(0, 0, List.of(), erased, Optional.of(next));
        }
        step = ledger.step(erasure.id(), number);
        erased += step.map(ids -> restored.erase(table, erasure, ids)).orElse(0);
        number++;
      } while (step.isPresent());
      number = 1;
    }
    return copy(table, new RestorePlace.InTable(Optional.empty()), end, erased);
  }

  private Stream<Erasure> erasuresAfter(Optional<String> place) {
    return Stream.iterate(
            Optional.of(ledger.list(place)),
            Optional::isPresent,
            page -> page.flatMap(ErasureLedger.Page::next).map(Optional::of).map(ledger::list))
        .flatMap(page -> page.orElseThrow().erasures().stream());
  }

  private Outcome copy(String table, RestorePlace.InTable from, Instant end, int erased) {
    int copied = 0;
    int kept = 0;
    List<NotCopied> notCopied = new ArrayList<>();
    Optional<String> after = from.after();
    while (clock.instant().isBefore(end) && notCopied.size() < MOST_NOT_COPIED) {
      RestoredEvents.Copied page = restored.copy(table, after);
      copied += page.restored();
      kept += page.kept();
      notCopied.addAll(page.notCopied());
      after = page.next();
      if (after.isEmpty()) {
        return new Outcome.Done(copied, kept, notCopied, erased, Optional.empty());
      }
    }
    return new Outcome.Done(
        copied, kept, notCopied, erased, Optional.of(new RestorePlace.InTable(after)));
  }
}
