package dev.connectorevents.functions.login;

import dev.connectorevents.token.AccessToken;
import dev.connectorevents.user.User;
import java.time.Duration;

/** The outcome of a login. */
sealed interface LoginOutcome {

  record LoggedIn(User user, AccessToken token) implements LoginOutcome {}

  /** Wrong password, unknown address or disabled user: the answer does not say which. */
  record InvalidCredentials() implements LoginOutcome {}

  /** The answer does not say whether the password is right. */
  record TooManyAttempts(Duration toWait) implements LoginOutcome {}
}
