package dev.connectorevents.user;

import java.time.Instant;
import java.util.Optional;

/**
 * A date before which all of a user's sessions end; in whole seconds.
 *
 * @param from the date, unless sessions may have begun at it already
 * @param latest the latest date allowed: sessions that begin yet further ahead would not be
 *     accepted
 */
public record Revocation(Instant from, Instant latest) {

  /**
   * The time for a user who has that one so far; empty if sessions that begin now could not be told
   * from those that are to end.
   */
  public Optional<Instant> after(Instant there) {
    // Sessions may have begun at that very second: only a later one ends them as well.
    Instant next = there.isBefore(from) ? from : there.plusSeconds(1);
    return next.isAfter(latest) ? Optional.empty() : Optional.of(next);
  }
}
