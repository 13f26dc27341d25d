package dev.connectorevents.functions.manageusers;

import dev.connectorevents.event.EventTypes;
import dev.connectorevents.functions.lambda.OperatorHandler;
import dev.connectorevents.json.Body;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.Role;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** The function's event, checked. */
record ManageUsersRequest(ActionName name, UserAction action) {

  /**
   * Reads an event.
   *
   * @param maxDays the longest lifetime of a static token, in days
   * @throws IllegalStateException if the event came through an API
   */
  static Body<ManageUsersRequest> of(byte[] event, int maxDays) {
    Optional<Members> members = Members.read(event);
    return members.isPresent()
        ? of(members.get(), maxDays)
        : new Body.Malformed<>(OperatorHandler.MALFORMED);
  }

  private static Body<ManageUsersRequest> of(Members members, int maxDays) {
    if (members.areOfAnApi()) {
      throw new IllegalStateException("this function must not have a route");
    }
    Optional<ActionName> name = members.action();
    Optional<Email> email =
        name.equals(Optional.of(ActionName.LIST)) ? Optional.empty() : members.email();
    Optional<Supplier<UserAction>> action =
        name.map(known -> action(known, email::orElseThrow, members, maxDays));
    name.ifPresent(members::refuseOthers);
    return members.faults().isEmpty()
        ? new Body.Read<>(new ManageUsersRequest(name.orElseThrow(), action.orElseThrow().get()))
        : new Body.Invalid<>(members.faults());
  }

  /** Reads the action's members other than the address. */
  private static Supplier<UserAction> action(
      ActionName name, Supplier<Email> email, Members members, int maxDays) {
    return switch (name) {
      case CREATE -> {
        Optional<String> userName = members.name();
        Optional<Password> password = members.password();
        Role role = members.role().orElse(Role.CONNECTOR);
        Optional<EventTypes> scope = members.scope();
        yield () ->
            new UserAction.Create(
                email.get(), userName.orElse(null), role, scope.orElse(null), password);
      }
      case DISABLE -> () -> new UserAction.Disable(email.get());
      case ENABLE -> () -> new UserAction.Enable(email.get());
      case RESET_PASSWORD -> {
        Optional<Password> password = members.password();
        yield () -> new UserAction.ResetPassword(email.get(), password);
      }
      case REVOKE_TOKENS -> () -> new UserAction.RevokeTokens(email.get());
      case SET_ROLE -> {
        Optional<Role> role = members.requiredRole();
        yield () -> new UserAction.SetRole(email.get(), role.orElseThrow());
      }
      case SET_SCOPE -> {
        Optional<EventTypes> scope = members.requiredScope();
        yield () -> new UserAction.SetScope(email.get(), scope.orElse(null));
      }
      case ISSUE_STATIC_TOKEN -> {
        Duration lifetime = Duration.ofDays(members.days(maxDays));
        yield () -> new UserAction.IssueStaticToken(email.get(), lifetime);
      }
      case DELETE -> () -> new UserAction.Delete(email.get());
      case SHOW -> () -> new UserAction.Show(email.get());
      case LIST -> {
        Optional<Email> after = members.next().map(UserCursor::after);
        yield () -> new UserAction.ListPage(after);
      }
    };
  }
}
