package dev.connectorevents.user;

import java.util.Optional;

/** The users, wherever they are kept. */
public interface Users extends UserLookup {

  /** The user as it is now, never an older state of it. */
  @Override
  Optional<User> find(Email email);

  /** As {@link #find}, with the hash. Only the login function has the right to read it. */
  Optional<UserWithHash> findWithHash(Email email);

  /** Adds a user; false if its address is taken, and nothing is changed then. */
  boolean create(User user, PasswordHash passwordHash);

  ChangeOutcome update(Email email, UserChange change);

  /** Stores another hash of the same password, unless the password was changed meanwhile. */
  void rehash(Email email, PasswordHash from, PasswordHash to);
}
