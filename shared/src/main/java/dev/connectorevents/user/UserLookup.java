package dev.connectorevents.user;

import java.util.Optional;
import java.util.function.Predicate;

/** Finds users by their addresses. It may remember what it has read. */
public interface UserLookup {

  /**
   * The user with this address; empty if there is none.
   *
   * @param acceptsCached accepts or rejects a remembered state; if it rejects it, the current one
   *     is read. A lookup that remembers nothing ignores it
   */
  Optional<User> find(Email email, Predicate<User> acceptsCached);
}
