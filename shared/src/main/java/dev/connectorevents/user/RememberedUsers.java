package dev.connectorevents.user;

import dev.connectorevents.BoundedMap;
import dev.connectorevents.Remembered;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** Caches each user for some seconds, so that a burst of events costs one read. */
public final class RememberedUsers implements UserLookup {

  /** Most users in the cache; a warm function rarely sees more than a few. */
  static final int CAPACITY = 1_000;

  private final UserLookup users;
  private final Duration age;
  private final Clock clock;

  private final Map<Email, Remembered<User>> remembered = new BoundedMap<>(CAPACITY);

  /**
   * @param age how long a user is cached, and so how long a revocation may lag
   */
  public RememberedUsers(UserLookup users, Duration age, Clock clock) {
    this.users = users;
    this.age = age;
    this.clock = clock;
  }

  @Override
  public synchronized Optional<User> find(Email email, Predicate<User> acceptsCached) {
    Instant now = clock.instant();
    Remembered<User> known = remembered.get(email);
    if (known != null && known.isYoungerThan(age, now) && acceptsCached.test(known.value())) {
      return Optional.of(known.value());
    }
    Optional<User> user = users.find(email);
    remembered.remove(email);
    user.ifPresent(it -> remembered.put(email, new Remembered<>(it, now)));
    return user;
  }
}
