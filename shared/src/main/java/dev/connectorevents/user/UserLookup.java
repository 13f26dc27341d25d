package dev.connectorevents.user;

import java.util.Optional;
import java.util.function.Predicate;

/** Finds users by e-mail address. May answer from a cache. */
public interface UserLookup {

  /**
   * The user with this address; empty if there is none.
   *
   * @param acceptsCached whether a cached state is good enough; if not, the current one is read. A
   *     lookup without a cache ignores it
   */
  Optional<User> find(Email email, Predicate<User> acceptsCached);
}
