package dev.connectorevents.functions.operators.users;

import static dev.connectorevents.functions.operators.OperatorEvent.text;

import dev.connectorevents.event.EventTypes;
import dev.connectorevents.functions.operators.OperatorEvent;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.PasswordHash;
import dev.connectorevents.user.Role;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** The function's event, checked. */
record ManageUsersRequest(ActionName name, UserAction action) {

  private static final String ACTION_RULE = "required: one of " + ActionName.list();
  private static final String EMAIL_RULE =
      "required: an e-mail address of at most " + Email.MAX_LENGTH + " characters";
  private static final String ROLE_RULE = "one of " + Role.names();
  private static final String SCOPE = "event_types";
  private static final String PASSWORD_RULE =
      "a string of at least %d characters and at most %d bytes in UTF-8, without NUL"
          .formatted(Password.MIN_LENGTH, PasswordHash.MAX_PASSWORD_BYTES);

  /**
   * Reads an event.
   *
   * @param maxDays the longest lifetime of a static token, in days
   */
  static Supplier<ManageUsersRequest> read(OperatorEvent event, int maxDays) {
    Optional<ActionName> name = event.required("action", ACTION_RULE, text(ActionName::parse));
    Optional<Email> email =
        name.equals(Optional.of(ActionName.LIST))
            ? Optional.empty()
            : event.required("email", EMAIL_RULE, text(Email::parse));
    Optional<Supplier<UserAction>> action =
        name.map(known -> action(known, email::orElseThrow, event, maxDays));
    name.ifPresent(known -> event.refuseOthers(known.toString()));
    return () -> new ManageUsersRequest(name.orElseThrow(), action.orElseThrow().get());
  }

  /** Reads the action's members other than the address. */
  private static Supplier<UserAction> action(
      ActionName name, Supplier<Email> email, OperatorEvent event, int maxDays) {
    return switch (name) {
      case CREATE -> {
        Optional<String> userName =
            event.optional(
                "name", "a string of " + OperatorEvent.LABEL_RULE, text(OperatorEvent::label));
        Optional<Password> password = password(event);
        Role role = event.optional("role", ROLE_RULE, text(Role::parse)).orElse(Role.CONNECTOR);
        Optional<EventTypes> scope = scope(event);
        yield () ->
            new UserAction.Create(
                email.get(), userName.orElse(null), role, scope.orElse(null), password);
      }
      case DISABLE -> () -> new UserAction.Disable(email.get());
      case ENABLE -> () -> new UserAction.Enable(email.get());
      case RESET_PASSWORD -> {
        Optional<Password> password = password(event);
        yield () -> new UserAction.ResetPassword(email.get(), password);
      }
      case REVOKE_TOKENS -> () -> new UserAction.RevokeTokens(email.get());
      case SET_ROLE -> {
        Optional<Role> role = event.required("role", "required: " + ROLE_RULE, text(Role::parse));
        yield () -> new UserAction.SetRole(email.get(), role.orElseThrow());
      }
      case SET_SCOPE -> {
        event.check(
            event.has(SCOPE),
            SCOPE,
            "required: null for all, or " + OperatorEvent.EVENT_TYPES_RULE);
        Optional<EventTypes> scope = scope(event);
        yield () -> new UserAction.SetScope(email.get(), scope.orElse(null));
      }
      case ISSUE_STATIC_TOKEN -> {
        Duration lifetime = Duration.ofDays(days(event, maxDays));
        yield () -> new UserAction.IssueStaticToken(email.get(), lifetime);
      }
      case DELETE -> () -> new UserAction.Delete(email.get());
      case SHOW -> () -> new UserAction.Show(email.get());
      case LIST -> {
        Optional<Email> after =
            event
                .optional(
                    "next",
                    "the value of next in the previous answer, unchanged",
                    text(UserCursor::parse))
                .map(UserCursor::after);
        yield () -> new UserAction.ListPage(after);
      }
    };
  }

  private static Optional<Password> password(OperatorEvent event) {
    return event.optional("password", PASSWORD_RULE, text(Password::parse));
  }

  private static Optional<EventTypes> scope(OperatorEvent event) {
    return event.hasNonNull(SCOPE) ? event.eventTypes(SCOPE) : Optional.empty();
  }

  private static int days(OperatorEvent event, int max) {
    return event
        .optional(
            "days",
            "an integer from 1 to " + max,
            node -> OperatorEvent.integer(node).filter(days -> days >= 1 && days <= max))
        .orElse(max);
  }
}
