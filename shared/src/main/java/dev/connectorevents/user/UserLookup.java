package dev.connectorevents.user;

import java.util.Optional;
import java.util.function.Predicate;

/** Finds a user; the result may be cached. */
public interface UserLookup {

  /**
   * Finds a user; empty if nobody has the address.
   *
   * @param suffices whether a cached state of the user will do. If not, the current one is read
   */
  Optional<User> find(Email email, Predicate<User> suffices);
}
