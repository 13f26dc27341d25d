package dev.connectorevents.acceptance.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The place of one event: a user's key, or an acknowledged event without a key. After an unknown
 * outcome it may have one of several fates, until an answer tells which.
 */
final class Slot {

  /** What may have become of the slot's event. */
  sealed interface Fate {

    record Absent() implements Fate {}

    /**
     * The event is stored.
     *
     * @param at when the step began that stored it
     * @param latest when the step had its answer
     */
    record Stored(SentEvent first, Instant at, Instant latest) implements Fate {

      /** Whether an answer shows the event as it was created. */
      boolean isShownIn(JsonNode event) {
        Instant created = Instant.parse(event.path("created_at").asText());
        return first.isShownIn(event)
            && !created.isBefore(at)
            && created.isBefore(at.plus(Walk.PAUSE));
      }
    }

    /**
     * The event is erased.
     *
     * @param at when the erasure began
     * @param latest when it ended; {@link Instant#MAX} until it has ended
     */
    record Erased(Instant at, Instant latest) implements Fate {}
  }

  final KnownUser user;
  final Optional<String> key;

  /** Empty until an answer names it. */
  Optional<String> id = Optional.empty();

  /** An event that was sent for it; empty if only its key was asked for. */
  Optional<SentEvent> sent = Optional.empty();

  private Set<Fate> fates = Set.of(new Fate.Absent());

  Slot(KnownUser user, Optional<String> key) {
    this.user = user;
    this.key = key;
  }

  Stream<Fate> fates() {
    return fates.stream();
  }

  Stream<Fate.Stored> stored() {
    return fates().filter(Fate.Stored.class::isInstance).map(Fate.Stored.class::cast);
  }

  void become(Fate fate) {
    fates = Set.of(fate);
  }

  void mayBecome(Fate fate) {
    Set<Fate> more = new LinkedHashSet<>(fates);
    more.add(fate);
    fates = more;
  }

  /** Keeps the fates that explain an answer. */
  void learn(Predicate<Fate> explains) {
    Set<Fate> kept = new LinkedHashSet<>(fates);
    kept.removeIf(explains.negate());
    fates = kept;
  }
}
