package dev.connectorevents.user;

import java.time.Instant;
import java.util.Optional;

/**
 * Ends all sessions of a user that began before a time. Times are whole seconds.
 *
 * @param from the time, unless an earlier revocation requires a later one
 * @param latest the latest time allowed: new sessions begin at it, and a check refuses sessions
 *     that begin too far in the future
 */
public record Revocation(Instant from, Instant latest) {

  /**
   * The new {@code tokensValidFrom}, given the stored one; empty if it would be after {@code
   * latest}.
   */
  public Optional<Instant> after(Instant there) {
    // Sessions may have begun in that very second: only a later time ends them too.
    Instant next = there.isBefore(from) ? from : there.plusSeconds(1);
    return next.isAfter(latest) ? Optional.empty() : Optional.of(next);
  }
}
