package dev.connectorevents.acceptance.oracle;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * What is known of a user. After a change whose outcome is unknown, the user may have one of
 * several standings, until an answer tells which.
 */
final class KnownUser {

  /** How long the routes for events may go on with a standing that has changed. */
  private static final Duration LAG = Duration.ofSeconds(5);

  /** From so many ended sessions in a row on, the service may refuse to end more. */
  private static final int MANY_ENDINGS = 2;

  private static final Duration ENDINGS_COUNT_FOR = Duration.ofSeconds(16);

  private record Past(Standing standing, Instant until) {}

  final String email;
  final String id;
  private Set<Standing> possible;
  private final List<Past> past = new ArrayList<>();
  private final List<Instant> endings = new ArrayList<>();

  KnownUser(String email, String id, Standing standing) {
    this.email = email;
    this.id = id;
    possible = Set.of(standing);
  }

  Stream<Standing> possible() {
    return possible.stream();
  }

  /** The standings that the routes for events may still go by. */
  Stream<Standing> lagging(Instant now) {
    return past.stream().filter(each -> !now.isAfter(each.until.plus(LAG))).map(Past::standing);
  }

  /** Whether each possible standing is such. */
  boolean surely(Predicate<Standing> such) {
    return possible.stream().allMatch(such);
  }

  void change(UnaryOperator<Standing> change, Instant now) {
    possible.forEach(each -> past.add(new Past(each, now)));
    possible = changed(change);
  }

  /** Notes that the change may have happened, or not. */
  void mayChange(UnaryOperator<Standing> change, Instant now) {
    possible.forEach(each -> past.add(new Past(each, now)));
    Set<Standing> both = new LinkedHashSet<>(possible);
    both.addAll(changed(change));
    possible = both;
  }

  private Set<Standing> changed(UnaryOperator<Standing> change) {
    Set<Standing> changed = new LinkedHashSet<>();
    possible.forEach(each -> changed.add(change.apply(each)));
    return changed;
  }

  /** Keeps the standings that explain an answer. */
  void learn(Predicate<Standing> explains, Instant now) {
    Set<Standing> kept = new LinkedHashSet<>(possible);
    kept.removeIf(explains.negate());
    if (!kept.isEmpty()) {
      possible.stream()
          .filter(each -> !kept.contains(each))
          .forEach(each -> past.add(new Past(each, now)));
      possible = kept;
    }
  }

  void endedSessions(Instant now) {
    endings.add(now);
  }

  boolean mayHaveEndedTooOften(Instant now) {
    Instant since = now.minus(ENDINGS_COUNT_FOR);
    return endings.stream().filter(since::isBefore).count() >= MANY_ENDINGS;
  }

  @Override
  public String toString() {
    return email;
  }
}
