package dev.connectorevents.user;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A user who may log in: usually a connector. A {@link UserWithHash} has the hash of the password,
 * too.
 *
 * @param id never changes and is never reused
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
