package dev.connectorevents.user;

import java.util.Optional;

/** The users, wherever they are kept. */
public interface Users extends UserLookup {

  /** The user as it is now, never an older state of it. */
  @Override
  Optional<User> find(Email email);

  /** Adds a user; false if its address is taken, and nothing is changed then. */
  boolean create(User user);

  /** Changes a user, who is answered as it is then; empty if there is none. */
  Optional<User> update(Email email, UserChange change);
}
