package dev.connectorevents.user;

import dev.connectorevents.DependencyUnavailableException;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Finds users by e-mail address, without their password hashes.
 *
 * <p>Every method throws {@link DependencyUnavailableException} if the store does not answer.
 */
public interface UserLookup {

  /** Reads the user's current state, never an older one; empty if nobody has the address. */
  default Optional<User> find(Email email) {
    return find(email, cached -> false);
  }

  /**
   * As {@link #find(Email)}, but may answer from a cache.
   *
   * @param acceptsCached whether a cached state is good enough; if not, the current one is read. A
   *     lookup without a cache ignores it
   */
  Optional<User> find(Email email, Predicate<User> acceptsCached);
}
