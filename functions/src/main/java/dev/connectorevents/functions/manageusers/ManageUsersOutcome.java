package dev.connectorevents.functions.manageusers;

import dev.connectorevents.token.AccessToken;
import dev.connectorevents.user.User;

/** The outcome of an action. */
sealed interface ManageUsersOutcome {

  /** It was done. */
  sealed interface Done extends ManageUsersOutcome {

    /** As it is now. */
    User user();
  }

  record Shown(User user) implements Done {}

  /** The password is returned only here. */
  record PasswordMadeUp(User user, Password password) implements Done {}

  record TokenIssued(User user, AccessToken token) implements Done {}

  record UserNotFound() implements ManageUsersOutcome {}

  /** Another revocation now would end no session, or lock out new ones. */
  record RevokedTooOften() implements ManageUsersOutcome {}

  record AddressTaken() implements ManageUsersOutcome {}

  /** A token for it would let nobody in. */
  record UserDisabled() implements ManageUsersOutcome {}
}
