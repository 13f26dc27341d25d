package dev.connectorevents.user;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Implements {@link Users} with a map, for tests. Counts the reads of single users. */
public final class InMemoryUsers implements Users {

  private static final Comparator<Email> BY_ADDRESS = Comparator.comparing(Email::value);

  private final Map<Email, User> users = new HashMap<>();
  private Runnable beforeUpdate = () -> {};
  private final Map<Email, PasswordHash> hashes = new HashMap<>();
  private int reads;

  @Override
  public Optional<User> find(Email email, Predicate<User> acceptsCached) {
    reads++;
    return Optional.ofNullable(users.get(email));
  }

  @Override
  public Optional<UserWithHash> findWithHash(Email email) {
    return find(email).map(user -> new UserWithHash(user, hash(email)));
  }

  @Override
  public UserPage list(Optional<Email> after, int limit) {
    List<User> rest =
        users.values().stream()
            .filter(user -> after.isEmpty() || BY_ADDRESS.compare(user.email(), after.get()) > 0)
            .sorted(Comparator.comparing(User::email, BY_ADDRESS))
            .toList();
    List<User> page = rest.subList(0, Math.min(limit, rest.size()));
    return new UserPage(
        page, rest.size() > limit ? Optional.of(page.getLast().email()) : Optional.empty());
  }

  private PasswordHash hash(Email email) {
    return hashes.getOrDefault(email, TestUsers.HASH);
  }

  @Override
  public boolean create(User user, PasswordHash passwordHash) {
    boolean isNew = users.putIfAbsent(user.email(), user) == null;
    if (isNew) {
      hashes.put(user.email(), passwordHash);
    }
    return isNew;
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
    if (change instanceof UserChange.SetPassword set) {
      hashes.put(email, set.passwordHash());
    }
    return new ChangeOutcome.Changed(changed);
  }

  private static User changed(User user, UserChange change, Instant from) {
    return switch (change) {
      case UserChange.Enable() -> copy(user, UserState.ACTIVE, user.role(), user.scope(), from);
      case UserChange.SetScope(Scope scope) -> copy(user, user.state(), user.role(), scope, from);
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
      User user, UserState state, Role role, @Nullable Scope scope, Instant from) {
    return new User(
        user.id(), user.email(), user.name(), state, role, scope, user.createdAt(), from);
  }

  @Override
  public void delete(User user) {
    User stored = users.get(user.email());
    if (stored != null && stored.id().equals(user.id())) {
      users.remove(user.email());
      hashes.remove(user.email());
    }
  }

  @Override
  public void rehash(Email email, PasswordHash from, PasswordHash to) {
    if (hash(email).equals(from)) {
      hashes.put(email, to);
    }
  }

  /** Sets an action that runs before each change of a user. */
  public void beforeUpdate(Runnable action) {
    beforeUpdate = action;
  }

  /** Adds or replaces a user. A new user has the password {@link TestUsers#PASSWORD}. */
  public void put(User user) {
    users.put(user.email(), user);
  }

  public int reads() {
    return reads;
  }
}
