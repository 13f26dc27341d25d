package dev.connectorevents.user;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Users for tests; counts how often it is read. */
public final class InMemoryUsers implements Users {

  private final Map<Email, User> users = new HashMap<>();
  private int reads;

  @Override
  public Optional<User> find(Email email) {
    reads++;
    return Optional.ofNullable(users.get(email));
  }

  @Override
  public boolean create(User user) {
    return users.putIfAbsent(user.email(), user) == null;
  }

  /** Adds or replaces a user. */
  public void put(User user) {
    users.put(user.email(), user);
  }

  public void delete(Email email) {
    users.remove(email);
  }

  public int reads() {
    return reads;
  }
}
