package dev.connectorevents.functions.manageusers;

import dev.connectorevents.token.AccessToken;
import dev.connectorevents.user.User;

/** How an action ended. */
sealed interface ManageUsersOutcome {

  /** It was done. */
  sealed interface Done extends ManageUsersOutcome {

    /** As it is now. */
    User user();
  }

  record Shown(User user) implements Done {}

  /** The only time that this password is told. */
  record PasswordMadeUp(User user, Password password) implements Done {}

  record TokenIssued(User user, AccessToken token) implements Done {}

  record UserNotFound() implements ManageUsersOutcome {}

  /** It would end no session any more, or lock out those that begin next. */
  record RevokedTooOften() implements ManageUsersOutcome {}

  record AddressTaken() implements ManageUsersOutcome {}

  /** A token for it would let nobody in. */
  record UserDisabled() implements ManageUsersOutcome {}
}
