package dev.connectorevents.user;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A user who may log in: usually a connector. {@link UserWithHash} adds the hash of its password.
 *
 * @param id never changes and is never reused
 * @param tokensValidFrom sessions that began before it are revoked; whole seconds, like a token's
 *     times
 */
public record User(
    UUID id,
    Email email,
    @Nullable String name,
    UserState state,
    Role role,
    Instant createdAt,
    Instant tokensValidFrom) {

  public boolean isActive() {
    return state == UserState.ACTIVE;
  }

  /**
   * When a session of this user begins: now, or at the last revocation if the reader's clock is
   * behind that.
   *
   * @param now a time before the user was read
   */
  public Instant sessionStart(Instant now) {
    return now.isBefore(tokensValidFrom) ? tokensValidFrom : now;
  }
}
