package dev.connectorevents.functions.eraseevents;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.SideBySide;
import dev.connectorevents.event.ErasableEvent;
import dev.connectorevents.event.ErasableEvents;
import dev.connectorevents.event.Erasure;
import dev.connectorevents.event.ErasureLedger;
import dev.connectorevents.event.ErasureSelector;
import dev.connectorevents.event.EventIds;
import dev.connectorevents.event.Events;
import dev.connectorevents.event.Sha256;
import dev.connectorevents.eventformat.PayloadCondition;
import dev.connectorevents.token.RandomText;
import java.io.IOException;
import java.io.InputStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Erases the events of a selection, call by call.
 *
 * <p>The first call only begins: from then on the caller knows the erasure, and may be interrupted
 * at any time. The next calls select events, write their ids into the ledger and erase them. The
 * last ones check the ledger, and write the proof.
 */
final class EraseEvents {

  /** How long a call works before it lets the caller go on. */
  private static final Duration LONGEST_CALL = Duration.ofSeconds(45);

  /** The most ids that a call names, less those of one page. */
  private static final int ENOUGH_IDS = 900;

  /** The most ids of one read. */
  private static final int IDS_OF_A_READ = 100;

  /** Tries to erase an event that is replaced meanwhile. */
  private static final int MAX_TRIES = 5;

  /**
   * How long expired items may stay until DynamoDB deletes them. AWS promises a few days; see <a
   * href="https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TTL.html">Using time to
   * live</a>.
   */
  private static final Duration TIME_TO_LIVE_DELAY = Duration.ofDays(7);

  /** In characters. */
  private static final int SALT_LENGTH = 32;

  private final ErasableEvents events;
  private final ErasureLedger ledger;
  private final SideBySide sideBySide;
  private final EventIds newIds;
  private final RandomGenerator random;
  private final Clock clock;
  private final Duration indexLag;
  private final Duration backups;

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
    this.sideBySide = sideBySide;
    this.newIds = new EventIds(clock, random);
    this.random = random;
    this.clock = clock;
    this.indexLag = indexLag;
    this.backups = backups;
  }

  Optional<Erasure> find(UUID erasureId) {
    return ledger.find(erasureId);
  }

  ErasureLedger.Page list(Optional<String> after) {
    return ledger.list(after);
  }

  EraseEventsOutcome erase(EraseEventsRequest.Erase request) {
    Optional<ErasureProgress> progress = request.progress();
    Call call = new Call(request, clock.instant().plus(LONGEST_CALL));
    if (progress.isPresent()) {
      return call.from(progress.get());
    }
    Instant now = now();
    return request.isDryRun()
        ? call.from(ErasureProgress.first(Optional.empty(), now, now))
        : call.goOn(begin(request));
  }

  private ErasureProgress begin(EraseEventsRequest.Erase request) {
    UUID id = newIds.next();
    Instant begun = now();
    Duration lag = lag(request.selector());
    ledger.put(
        new Erasure(
            id,
            request.reason(),
            request.selector().kind(),
            request.selector() instanceof ErasureSelector.Brand brand
                ? Optional.of(salted(brand.brand().value()))
                : Optional.empty(),
            begun,
            lag,
            Optional.empty()));
    // A scan is dear: it waits until one suffices. The other selections begin at once.
    boolean isScan = request.selector() instanceof ErasureSelector.All;
    return ErasureProgress.first(Optional.of(id), begun, isScan ? begun.plus(lag) : begun);
  }

  private Erasure.SaltedBrand salted(String brand) {
    String salt = RandomText.of(SALT_LENGTH, random);
    return new Erasure.SaltedBrand(salt, sha256(salt + brand));
  }

  private static String sha256(String text) {
    return HexFormat.of().formatHex(Sha256.of(text.getBytes(UTF_8)));
  }

  /** How long an event may take from its creation until the selection finds it. */
  private Duration lag(ErasureSelector selector) {
    Duration toTable = Events.LONGEST_WRITE.plus(Events.CLOCK_SKEW);
    return selector instanceof ErasureSelector.Brand ? toTable.plus(indexLag) : toTable;
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  /** One call, from a progress to the next. */
  private final class Call {

    private final EraseEventsRequest.Erase request;
    private final Instant end;
    private final List<UUID> matched = new ArrayList<>();
    private int erased;

    Call(EraseEventsRequest.Erase request, Instant end) {
      this.request = request;
      this.end = end;
    }

    EraseEventsOutcome from(ErasureProgress progress) {
      if (now().isBefore(progress.notBefore())) {
        return goOn(progress);
      }
      return progress.checked().isPresent() ? check(progress) : select(progress);
    }

    /** The caller goes on, after a wait if the next pass may not begin yet. */
    private EraseEventsOutcome goOn(ErasureProgress progress) {
      Duration wait = Duration.between(now(), progress.notBefore());
      return new EraseEventsOutcome.Continues(
          progress, matched, erased, wait.isPositive() ? wait : Duration.ZERO);
    }

    private EraseEventsOutcome select(ErasureProgress begin) {
      ErasureProgress progress = begin;
      do {
        ErasableEvents.Page page =
            events.page(
                request.selector(), progress.begun(), progress.after(), !request.where().isEmpty());
        List<ErasableEvent> matching = page.events().stream().filter(this::matches).toList();
        int pages = progress.pages();
        if (!matching.isEmpty() && !request.isDryRun()) {
          pages = erase(matching, progress);
        }
        matched.addAll(matching.stream().map(ErasableEvent::id).toList());
        progress = progress.at(page.next(), progress.absent() + page.absent(), pages);
        if (progress.after().isEmpty()) {
          return endOfPass(progress);
        }
      } while (matched.size() <= ENOUGH_IDS && clock.instant().isBefore(end));
      return goOn(progress);
    }

    private EraseEventsOutcome endOfPass(ErasureProgress progress) {
      if (request.isDryRun()) {
        return new EraseEventsOutcome.DryRunEnds(matched);
      }
      Instant settled = progress.begun().plus(lag(request.selector()));
      boolean isFound = request.selector() instanceof ErasureSelector.Ids && progress.absent() == 0;
      return isFound || !progress.notBefore().isBefore(settled)
          ? check(progress.checked(0))
          : goOn(progress.againAt(settled));
    }

    private boolean matches(ErasableEvent event) {
      if (request.where().isEmpty()) {
        return true;
      }
      Optional<ErasableEvent> current = Optional.of(event);
      for (int i = 0; i < MAX_TRIES && current.isPresent(); i++) {
        Optional<InputStream> payload = events.payload(current.get());
        if (payload.isPresent()) {
          return holds(payload.get());
        }
        current = events.read(event.id());
      }
      return false; // erased, or replaced by a newer event
    }

    private boolean holds(InputStream payload) {
      try (payload) {
        return PayloadCondition.anyHolds(request.where(), payload);
      } catch (IOException e) {
        throw new DependencyUnavailableException("an event's payload is incomplete", e);
      }
    }

    /** Writes the ids into the ledger, then erases. Returns how many pages the ledger has. */
    private int erase(List<ErasableEvent> matching, ErasureProgress progress) {
      UUID erasureId = progress.erasureId().orElseThrow();
      Set<UUID> ids = matching.stream().map(ErasableEvent::id).collect(Collectors.toSet());
      int page = progress.pages() + 1;
      while (!ledger.add(erasureId, page, ids)) {
        page++; // of a call whose answer the caller did not get
      }
      erased +=
          (int)
              sideBySide
                  .run(
                      matching.stream()
                          .<Supplier<Boolean>>map(
                              event -> () -> erase(event, erasureId, progress.begun()))
                          .toList())
                  .stream()
                  .filter(isErased -> isErased)
                  .count();
      return page;
    }

    /** Whether there is a tombstone of ours now. */
    private boolean erase(ErasableEvent event, UUID erasureId, Instant begun) {
      ErasableEvent current = event;
      for (int i = 0; i < MAX_TRIES; i++) {
        switch (events.erase(current, erasureId, now())) {
          case ERASED -> {
            return true;
          }
          case EXPIRED -> {
            return false;
          }
          case CHANGED -> {
            Optional<ErasableEvent> again =
                events
                    .read(event.id())
                    .filter(other -> other.createdAt().isBefore(begun))
                    .filter(this::isStillSelected);
            if (again.isEmpty()) {
              return false;
            }
            current = again.get();
          }
        }
      }
      throw new DependencyUnavailableException("an event changes again and again");
    }

    /**
     * An event of a brand may have been replaced by one of another: if not, the next pass has it.
     */
    private boolean isStillSelected(ErasableEvent event) {
      return !(request.selector() instanceof ErasureSelector.Brand) && matches(event);
    }

    private EraseEventsOutcome check(ErasureProgress begin) {
      ErasureProgress progress = begin;
      UUID erasureId = progress.erasureId().orElseThrow();
      while (true) {
        int page = progress.checked().orElseThrow() + 1;
        Optional<Set<UUID>> ids = ledger.ids(erasureId, page);
        if (ids.isEmpty()) {
          return new EraseEventsOutcome.Ends(prove(erasureId, page - 1), matched, erased);
        }
        Set<UUID> tombstones = tombstones(List.copyOf(ids.get()));
        if (!tombstones.equals(ids.get())) {
          ledger.correct(erasureId, page, tombstones);
        }
        progress = progress.checked(page);
        if (!clock.instant().isBefore(end)) {
          return goOn(progress);
        }
      }
    }

    private Set<UUID> tombstones(List<UUID> ids) {
      Set<UUID> found = new HashSet<>();
      for (int i = 0; i < ids.size(); i += IDS_OF_A_READ) {
        found.addAll(events.erased(ids.subList(i, Math.min(i + IDS_OF_A_READ, ids.size()))));
      }
      return found;
    }

    private Erasure prove(UUID erasureId, int pages) {
      List<Supplier<Set<UUID>>> reads =
          IntStream.rangeClosed(1, pages)
              .<Supplier<Set<UUID>>>mapToObj(
                  page -> () -> ledger.ids(erasureId, page).orElseThrow())
              .toList();
      List<String> ids =
          sideBySide.run(reads).stream()
              .flatMap(Set::stream)
              .map(UUID::toString)
              .sorted()
              .distinct() // a call that was repeated may have written an id again
              .toList();
      Instant ended = now();
      String lines = ids.stream().map(id -> id + "\n").collect(Collectors.joining());
      Erasure erasure =
          ledger
              .find(erasureId)
              .orElseThrow(() -> new DependencyUnavailableException("the erasure is unknown"))
              .ended(
                  new Erasure.Proof(
                      ended,
                      ids.size(),
                      sha256(lines),
                      ended.plus(backups).plus(TIME_TO_LIVE_DELAY)));
      ledger.put(erasure);
      return erasure;
    }
  }
}
