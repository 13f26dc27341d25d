package dev.connectorevents.user;

import java.time.Instant;
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

  @Override
  public Optional<User> update(Email email, UserChange change) {
    return Optional.ofNullable(users.computeIfPresent(email, (key, user) -> apply(change, user)));
  }

  private static User apply(UserChange change, User user) {
    return switch (change) {
      case UserChange.Enable() ->
          copy(user, user.passwordHash(), UserState.ACTIVE, user.tokensValidFrom());
      case UserChange.Disable(Instant from) ->
          copy(user, user.passwordHash(), UserState.DISABLED, revoked(user, from));
      case UserChange.SetPassword(PasswordHash hash, Instant from) ->
          copy(user, hash, user.state(), revoked(user, from));
      case UserChange.RevokeTokens(Instant from) ->
          copy(user, user.passwordHash(), user.state(), revoked(user, from));
    };
  }

  private static Instant revoked(User user, Instant from) {
    return from.isAfter(user.tokensValidFrom()) ? from : user.tokensValidFrom().plusSeconds(1);
  }

  private static User copy(User user, PasswordHash hash, UserState state, Instant from) {
    return new User(user.id(), user.email(), user.name(), hash, state, user.createdAt(), from);
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
