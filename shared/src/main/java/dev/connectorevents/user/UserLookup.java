package dev.connectorevents.user;

import java.util.Optional;

/** Finds a user, as it is now or was a moment ago. */
public interface UserLookup {
  Optional<User> find(Email email);
}
