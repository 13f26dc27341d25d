package dev.connectorevents.user;

import java.util.Optional;

/** Finds a user; the result may be cached. */
public interface UserLookup {
  Optional<User> find(Email email);
}
