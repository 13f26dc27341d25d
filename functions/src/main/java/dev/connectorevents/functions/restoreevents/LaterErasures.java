package dev.connectorevents.functions.restoreevents;

import dev.connectorevents.SideBySide;
import dev.connectorevents.event.Erasure;
import dev.connectorevents.event.ErasureLedger;
import dev.connectorevents.event.TakenBackEvents.OtherErasures;
import dev.connectorevents.feed.FeedReader;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The erasures that began after another one, or had not ended before it: they may have found
 * nothing of what it had erased. The proof of a whole brand's erasure tells which events it would
 * have found. Those of others do not: they are to be made again.
 */
final class LaterErasures implements OtherErasures {

  /** The most ids of other erasures that a call compares with. */
  private static final int MOST_NAMED = 2_000_000;

  /** The most erasures that an answer lists: it may have 6 MB. */
  private static final int MOST_LISTED = 10_000;

  private final ErasureLedger ledger;
  private final InstantSource clock;
  private final Instant end;
  private final Set<UUID> named = ConcurrentHashMap.newKeySet();
  private final List<Erasure> ofBrands = new ArrayList<>();
  private final List<Erasure> toRepeat = new ArrayList<>();

  /** When the last erasure of a brand began; {@link Instant#MIN} if there is none. */
  private final Map<String, Instant> begun = new ConcurrentHashMap<>();

  private LaterErasures(ErasureLedger ledger, InstantSource clock, Instant end) {
    this.ledger = ledger;
    this.clock = clock;
    this.end = end;
  }

  /**
   * Reads them.
   *
   * @param end of the call
   * @return empty if they are too many, or take until the end
   */
  static Optional<LaterErasures> than(
      Erasure wrong,
      ErasureLedger ledger,
      SideBySide sideBySide,
      InstantSource clock,
      Instant end) {
    LaterErasures later = new LaterErasures(ledger, clock, end);
    Optional<String> next = Optional.empty();
    do {
      ErasureLedger.Page page = ledger.list(next);
      List<Erasure> found =
          page.erasures().stream().filter(erasure -> isLater(erasure, wrong)).toList();
      sideBySide.run(found, erasure -> later.readIds(erasure.id()));
      found.forEach(erasure -> later.add(erasure, wrong));
      if (later.areTooMany()) {
        return Optional.empty();
      }
      next = page.next();
    } while (next.isPresent());
    return Optional.of(later);
  }

  private boolean areTooMany() {
    return named.size() > MOST_NAMED
        || toRepeat.size() > MOST_LISTED
        || !clock.instant().isBefore(end);
  }

  /** Returns how many steps were read. */
  private int readIds(UUID erasureId) {
    int number = 0;
    boolean isLast = false;
    while (!isLast && !areTooMany()) {
      number++;
      Optional<ErasureLedger.Step> step = ledger.step(erasureId, number);
      step.map(ErasureLedger.Step::ids).ifPresent(named::addAll);
      isLast = step.map(ErasureLedger.Step::isLast).orElse(true);
    }
    return number;
  }

  private static boolean isLater(Erasure erasure, Erasure wrong) {
    boolean endedBefore =
        erasure.proof().filter(proof -> proof.ended().isBefore(wrong.begun())).isPresent();
    return !endedBefore && !erasure.id().equals(wrong.id());
  }

  private void add(Erasure erasure, Erasure wrong) {
    if (erasure.proof().flatMap(Erasure.Proof::takenBack).isPresent()) {
      return; // it was wrong too
    }
    boolean isAbandoned = erasure.proof().isEmpty() && erasure.begun().isBefore(wrong.begun());
    if (erasure.brand().isPresent() && !erasure.isNarrowed() && !isAbandoned) {
      ofBrands.add(erasure);
    } else {
      toRepeat.add(erasure);
    }
  }

  @Override
  public boolean name(UUID id) {
    return named.contains(id);
  }

  @Override
  public boolean wouldHaveErased(String brand, Instant createdAt) {
    Instant last =
        begun.computeIfAbsent(
            brand,
            it ->
                ofBrands.stream()
                    .filter(erasure -> erasure.brand().orElseThrow().isOf(it))
                    .map(Erasure::begun)
                    .max(Comparator.naturalOrder())
                    .map(time -> time.plus(FeedReader.CLOCKS)) // as it would have selected
                    .orElse(Instant.MIN));
    return createdAt.isBefore(last);
  }

  /** Those that are to be made again, the oldest first. */
  List<Erasure> toRepeat() {
    return toRepeat.stream().sorted(Comparator.comparing(Erasure::begun)).toList();
  }
}
