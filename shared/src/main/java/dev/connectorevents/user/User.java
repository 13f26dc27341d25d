package dev.connectorevents.user;

import dev.connectorevents.event.EventType;
import dev.connectorevents.event.EventTypes;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A user of the API: usually a connector. {@link UserWithHash} adds the hash of its password.
 *
 * @param id never changes and is never reused
 * @param scope null if the user may do everything that its role may
 * @param tokensValidFrom sessions that began before it are revoked; whole seconds, like a token's
 *     times
 */
public record User(
    UUID id,
    Email email,
    @Nullable String name,
    UserState state,
    Role role,
    @Nullable EventTypes scope,
    Instant createdAt,
    Instant tokensValidFrom) {

  public boolean isActive() {
    return state == UserState.ACTIVE;
  }

  /** Whether the user may send or read events of this type, as far as its scope says. */
  public boolean mayUse(EventType type) {
    return scope == null || scope.contains(type);
  }

  /** Whether the user may use events of every type, even of types nobody knows any more. */
  public boolean mayUseAll() {
    return scope == null || scope.containsAll();
  }

  /**
   * When a session of this user begins: now, or {@code tokensValidFrom} if this clock is behind it.
   *
   * @param now a time before the user was read, so that a revocation after the read ends the
   *     session
   */
  public Instant sessionStart(Instant now) {
    return now.isBefore(tokensValidFrom) ? tokensValidFrom : now;
  }
}
