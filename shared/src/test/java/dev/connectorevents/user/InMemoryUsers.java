package dev.connectorevents.user;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Users for tests; counts how often it is read. */
public final class InMemoryUsers implements Users {

  private final Map<Email, User> users = new HashMap<>();
  private Runnable beforeUpdate = () -> {};
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

  @Override
  public ChangeOutcome update(Email email, UserChange change) {
    beforeUpdate.run();
    User user = users.get(email);
    if (user == null) {
      return new ChangeOutcome.NoSuchUser();
    }
    Optional<Instant> from =
        change instanceof UserChange.Ending ending
            ? ending.revocation().after(user.tokensValidFrom())
            : Optional.of(user.tokensValidFrom());
    if (from.isEmpty()) {
      return new ChangeOutcome.RevokedTooOften();
    }
    User changed = changed(user, change, from.get());
    put(changed);
    return new ChangeOutcome.Changed(changed);
  }

  private static User changed(User user, UserChange change, Instant from) {
    PasswordHash hash = user.passwordHash();
    return switch (change) {
      case UserChange.Enable() -> copy(user, hash, UserState.ACTIVE, from);
      case UserChange.Disable disable -> copy(user, hash, UserState.DISABLED, from);
      case UserChange.SetPassword set -> copy(user, set.passwordHash(), user.state(), from);
      case UserChange.RevokeTokens revoke -> copy(user, hash, user.state(), from);
    };
  }

  private static User copy(User user, PasswordHash hash, UserState state, Instant from) {
    return new User(user.id(), user.email(), user.name(), hash, state, user.createdAt(), from);
  }

  @Override
  public void rehash(Email email, PasswordHash from, PasswordHash to) {
    users.computeIfPresent(
        email,
        (key, user) ->
            user.passwordHash().equals(from)
                ? copy(user, to, user.state(), user.tokensValidFrom())
                : user);
  }

  /** Does something each time before a user is changed. */
  public void beforeUpdate(Runnable action) {
    beforeUpdate = action;
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
