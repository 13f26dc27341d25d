package dev.connectorevents.user;

import java.time.Instant;
import java.util.Optional;

/**
 * When new sessions are to count from, so that all that began before are ended; in whole seconds.
 *
 * @param from the time, unless sessions may have begun at it already
 * @param latest the last one that may be put in its place: sessions that began yet further ahead
 *     would not be accepted
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
