package dev.connectorevents.functions.manageusers;

import dev.connectorevents.http.Fault;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.Role;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The function's event, checked. */
sealed interface ManageUsersRequest {

  /** All rules hold. */
  record Valid(ActionName name, UserAction action) implements ManageUsersRequest {}

  record Invalid(List<Fault> faults) implements ManageUsersRequest {}

  record Malformed() implements ManageUsersRequest {}

  /**
   * Reads an event.
   *
   * @param maxDays the longest lifetime of a static token, in days
   * @throws IllegalStateException if the event came through an API
   */
  static ManageUsersRequest of(byte[] event, int maxDays) {
    return Members.read(event).map(members -> of(members, maxDays)).orElseGet(Malformed::new);
  }

  private static ManageUsersRequest of(Members members, int maxDays) {
    if (members.areOfAnApi()) {
      throw new IllegalStateException("this function must not have a route");
    }
    Optional<ActionName> name = members.action();
    Optional<Email> email = members.email();
    Optional<Function<Email, UserAction>> action =
        name.map(known -> action(known, members, maxDays));
    return members.faults().isEmpty()
        ? new Valid(name.orElseThrow(), action.orElseThrow().apply(email.orElseThrow()))
        : new Invalid(members.faults());
  }

  /** Reads the action's members other than the address. */
  private static Function<Email, UserAction> action(ActionName name, Members members, int maxDays) {
    return switch (name) {
      case CREATE -> {
        Optional<String> userName = members.name();
        Optional<Password> password = members.password();
        Role role = members.role().orElse(Role.CONNECTOR);
        yield email -> new UserAction.Create(email, userName.orElse(null), role, password);
      }
      case DISABLE -> UserAction.Disable::new;
      case ENABLE -> UserAction.Enable::new;
      case RESET_PASSWORD -> {
        Optional<Password> password = members.password();
        yield email -> new UserAction.ResetPassword(email, password);
      }
      case REVOKE_TOKENS -> UserAction.RevokeTokens::new;
      case SET_ROLE -> {
        Optional<Role> role = members.requiredRole();
        yield email -> new UserAction.SetRole(email, role.orElseThrow());
      }
      case ISSUE_STATIC_TOKEN -> {
        Duration lifetime = Duration.ofDays(members.days(maxDays));
        yield email -> new UserAction.IssueStaticToken(email, lifetime);
      }
      case SHOW -> UserAction.Show::new;
    };
  }
}
