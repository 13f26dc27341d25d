package dev.connectorevents.functions.operators.users;

import dev.connectorevents.token.AccessToken;
import dev.connectorevents.user.User;
import dev.connectorevents.user.UserPage;

/** The outcome of a {@link UserAction}. */
sealed interface ManageUsersOutcome {

  /** The action was done. */
  sealed interface Done extends ManageUsersOutcome {

    /** The user after the action; a deleted user as it was. */
    User user();
  }

  record Shown(User user) implements Done {}

  /** The password is returned only here. */
  record PasswordMadeUp(User user, Password password) implements Done {}

  record TokenIssued(User user, AccessToken token) implements Done {}

  record Deleted(User user) implements Done {}

  record Listed(UserPage page) implements ManageUsersOutcome {}

  record UserNotFound() implements ManageUsersOutcome {}

  /** Another revocation now would end no session, or lock out new ones. */
  record RevokedTooOften() implements ManageUsersOutcome {}

  record AddressTaken() implements ManageUsersOutcome {}

  /** No token was issued: it would not be accepted. */
  record UserDisabled() implements ManageUsersOutcome {}
}
