package dev.connectorevents.access;

import dev.connectorevents.user.Email;
import dev.connectorevents.user.User;
import dev.connectorevents.user.UserLookup;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Predicate;

/**
 * Reads one user while the request's token is still being checked. A failed read counts only if the
 * user is asked for.
 */
final class EarlyRead implements UserLookup, AutoCloseable {

  private final Email email;
  private final UserLookup users;
  private final CompletableFuture<Optional<User>> read;

  /** Begins to read the user with this address. */
  EarlyRead(Email email, UserLookup users, Executor executor) {
    this.email = email;
    this.users = users;
    this.read = CompletableFuture.supplyAsync(() -> users.find(email, cached -> false), executor);
  }

  /** What was read is never older than the request, so it is current. */
  @Override
  public Optional<User> find(Email other, Predicate<User> acceptsCached) {
    return other.equals(email) ? result() : users.find(other, acceptsCached);
  }

  private Optional<User> result() {
    try {
      return read.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  /** Waits for the read: it must not outlive the request. */
  @Override
  public void close() {
    read.handle((user, failure) -> 0).join();
  }
}
