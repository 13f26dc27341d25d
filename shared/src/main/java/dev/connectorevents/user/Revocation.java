package dev.connectorevents.user;

import java.time.Instant;
import java.util.Optional;

/**
 * Ends all sessions of a user that began before a time. Times are whole seconds.
 *
 * @param from the time, unless an earlier revocation requires a later one
 * @param latest the latest allowed time: new sessions begin at the revocation's time, and a check
 *     refuses sessions that begin too far in the future
 */
public record Revocation(Instant from, Instant latest) {

  /**
   * The new {@code tokensValidFrom}, given the stored one; empty if it would be after {@code
   * latest}.
   */
  public Optional<Instant> after(Instant stored) {
    // Sessions may have begun at the stored time: only a later time ends them too.
    Instant next = stored.isBefore(from) ? from : stored.plusSeconds(1);
    return next.isAfter(latest) ? Optional.empty() : Optional.of(next);
  }
}
