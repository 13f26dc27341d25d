package dev.connectorevents.user;

import dev.connectorevents.DependencyUnavailableException;
import java.util.Optional;

/**
 * The store of users and of their password hashes.
 *
 * <p>Every method throws {@link DependencyUnavailableException} if the store does not answer. A
 * change may then have been made or not; the caller may call the method again.
 */
public interface Users extends UserLookup {

  /**
   * Reads the user with the hash of its password, both as they were at one moment: a login that
   * races a change sees all of it or nothing. Empty if nobody has the address, or if the hash is
   * not this user's, which only a restored table can cause.
   */
  Optional<UserWithHash> findWithHash(Email email);

  /**
   * Reads a page of all users, in their current state. The pages together contain each user once
   * who was there before the first one was read; newer users may be missing.
   *
   * @param after where the page before ended; empty for the first page
   * @param limit the most users of a page
   */
  UserPage list(Optional<Email> after, int limit);

  /**
   * Adds a user and its hash, both or nothing. A retry with the same user id succeeds too.
   *
   * @return false if another user has the address; then nothing was changed
   */
  boolean create(User user, PasswordHash passwordHash);

  /**
   * Changes a user in one step. A revocation only moves {@code tokensValidFrom} forward.
   *
   * @return the user after the change, or why nothing was changed
   */
  ChangeOutcome update(Email email, UserChange change);

  /** Deletes this user, with its hash. Does nothing if nobody or another user has the address. */
  void delete(User user);

  /**
   * Replaces a user's hash by another hash of the same password. Does nothing if the password has
   * changed meanwhile.
   *
   * @param from the hash that was read
   */
  void rehash(Email email, PasswordHash from, PasswordHash to);
}
