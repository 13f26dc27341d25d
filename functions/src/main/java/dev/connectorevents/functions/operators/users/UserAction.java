package dev.connectorevents.functions.operators.users;

import dev.connectorevents.event.EventTypes;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.Role;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An operator's action. */
sealed interface UserAction {

  /** Without a password, the service makes one. */
  record Create(
      Email email,
      @Nullable String name,
      Role role,
      @Nullable EventTypes scope,
      Optional<Password> password)
      implements UserAction {}

  record Disable(Email email) implements UserAction {}

  record Enable(Email email) implements UserAction {}

  /** Without a password, the service makes one. */
  record ResetPassword(Email email, Optional<Password> password) implements UserAction {}

  record RevokeTokens(Email email) implements UserAction {}

  record SetRole(Email email, Role role) implements UserAction {}

  /**
   * Replaces the scope.
   *
   * @param scope null lifts it
   */
  record SetScope(Email email, @Nullable EventTypes scope) implements UserAction {}

  record IssueStaticToken(Email email, Duration lifetime) implements UserAction {}

  record Delete(Email email) implements UserAction {}

  record Show(Email email) implements UserAction {}

  /**
   * Lists a page of all users.
   *
   * @param after where the page before ended; empty for the first page
   */
  record ListPage(Optional<Email> after) implements UserAction {}
}
