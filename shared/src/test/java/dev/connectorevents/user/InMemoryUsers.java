package dev.connectorevents.user;

import dev.connectorevents.event.EventTypes;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Implements {@link Users} with a map, for tests. Counts the reads of single users. */
public class InMemoryUsers implements Users {

  private static final Comparator<Email> BY_ADDRESS = Comparator.comparing(Email::value);

  private final Map<Email, UserWithHash> users = new HashMap<>();
  private Runnable beforeUpdate = () -> {};
  private int reads;

  @Override
  public Optional<User> find(Email email, Predicate<User> acceptsCached) {
    return findWithHash(email).map(UserWithHash::user);
  }

  @Override
  public synchronized Optional<UserWithHash> findWithHash(Email email) {
    reads++;
    return Optional.ofNullable(users.get(email));
  }

  @Override
  public synchronized UserPage list(Optional<Email> after, int limit) {
    List<User> rest =
        users.values().stream()
            .map(UserWithHash::user)
            .filter(user -> after.isEmpty() || BY_ADDRESS.compare(user.email(), after.get()) > 0)
            .sorted(Comparator.comparing(User::email, BY_ADDRESS))
            .toList();
    List<User> page = rest.subList(0, Math.min(limit, rest.size()));
    return new UserPage(
        page, rest.size() > limit ? Optional.of(page.getLast().email()) : Optional.empty());
  }

  @Override
  public synchronized boolean create(User user, PasswordHash passwordHash) {
    UserWithHash there = users.putIfAbsent(user.email(), new UserWithHash(user, passwordHash));
    return there == null || there.user().id().equals(user.id());
  }

  @Override
  public synchronized ChangeOutcome update(Email email, UserChange change) {
    beforeUpdate.run();
    UserWithHash stored = users.get(email);
    if (stored == null) {
      return new ChangeOutcome.NoSuchUser();
    }
    User user = stored.user();
    Optional<Instant> from =
        change instanceof UserChange.Ending ending
            ? ending.revocation().after(user.tokensValidFrom())
            : Optional.of(user.tokensValidFrom());
    if (from.isEmpty()) {
      return new ChangeOutcome.RevokedTooOften();
    }
    User changed = changed(user, change, from.get());
    PasswordHash hash =
        change instanceof UserChange.SetPassword set ? set.passwordHash() : stored.passwordHash();
    users.put(email, new UserWithHash(changed, hash));
    return new ChangeOutcome.Changed(changed);
  }

  private static User changed(User user, UserChange change, Instant from) {
    return switch (change) {
      case UserChange.Enable() -> copy(user, UserState.ACTIVE, user.role(), user.scope(), from);
      case UserChange.SetScope(EventTypes scope) ->
          copy(user, user.state(), user.role(), scope, from);
      case UserChange.Disable disable ->
          copy(user, UserState.DISABLED, user.role(), user.scope(), from);
      case UserChange.SetPassword set -> copy(user, user.state(), user.role(), user.scope(), from);
      case UserChange.SetRole(Role role, Revocation revocation) ->
          copy(user, user.state(), role, user.scope(), from);
      case UserChange.RevokeTokens revoke ->
          copy(user, user.state(), user.role(), user.scope(), from);
    };
  }

  private static User copy(
      User user, UserState state, Role role, @Nullable EventTypes scope, Instant from) {
    return new User(
        user.id(), user.email(), user.name(), state, role, scope, user.createdAt(), from);
  }

  @Override
  public synchronized void delete(User user) {
    users.computeIfPresent(
        user.email(), (email, there) -> there.user().id().equals(user.id()) ? null : there);
  }

  @Override
  public synchronized void rehash(Email email, PasswordHash from, PasswordHash to) {
    users.computeIfPresent(
        email,
        (address, there) ->
            there.passwordHash().equals(from) ? new UserWithHash(there.user(), to) : there);
  }

  /** Sets an action that runs before each change of a user. */
  public void beforeUpdate(Runnable action) {
    beforeUpdate = action;
  }

  /** Adds a user with the password {@link TestUsers#PASSWORD}, or replaces one but its password. */
  public synchronized void put(User user) {
    UserWithHash there = users.get(user.email());
    PasswordHash hash = there == null ? TestUsers.HASH : there.passwordHash();
    users.put(user.email(), new UserWithHash(user, hash));
  }

  public synchronized int reads() {
    return reads;
  }
}
