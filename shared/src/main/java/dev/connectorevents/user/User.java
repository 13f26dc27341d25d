package dev.connectorevents.user;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who may log in: a connector, as a rule. A {@link UserWithHash} has the hash of the
 * password, too.
 *
 * @param id stays the same for as long as the user exists, and is never given again
 * @param tokensValidFrom sessions that began before it are revoked; whole seconds, as tokens have
 */
public record User(
    UUID id,
    Email email,
    @Nullable String name,
    UserState state,
    Instant createdAt,
    Instant tokensValidFrom) {

  public boolean isActive() {
    return state == UserState.ACTIVE;
  }

  /**
   * When a session begins for which this user was read: not before a revocation that the reader has
   * seen, whatever its clock says.
   */
  public Instant sessionStart(Instant now) {
    return now.isBefore(tokensValidFrom) ? tokensValidFrom : now;
  }
}
