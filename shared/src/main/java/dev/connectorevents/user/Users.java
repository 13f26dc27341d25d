package dev.connectorevents.user;

import dev.connectorevents.DependencyUnavailableException;
import java.util.Optional;

/**
 * The users, wherever they are kept. Every method throws {@link DependencyUnavailableException} if
 * the store does not answer; a change may then be made or not, and may be tried again.
 */
public interface Users extends UserLookup {

  /** The user as it is now, never an older state of it; empty if nobody has the address. */
  @Override
  Optional<User> find(Email email);

  /** As {@link #find}, with the hash. Only the login function has the right to read it. */
  Optional<UserWithHash> findWithHash(Email email);

  /**
   * Adds a user. A second try with the same user id, after a lost answer, succeeds as well.
   *
   * @return false if another user has the address; nothing is changed then
   */
  boolean create(User user, PasswordHash passwordHash);

  /** Changes a user in one step. A revocation only ever moves {@code tokensValidFrom} forward. */
  ChangeOutcome update(Email email, UserChange change);

  /** Stores another hash of the same password, unless the password was changed meanwhile. */
  void rehash(Email email, PasswordHash from, PasswordHash to);
}
