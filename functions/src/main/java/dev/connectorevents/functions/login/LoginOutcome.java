package dev.connectorevents.functions.login;

import dev.connectorevents.token.AccessToken;
import dev.connectorevents.user.User;
import java.time.Duration;

/** How a login ended. */
sealed interface LoginOutcome {

  record LoggedIn(User user, AccessToken token) implements LoginOutcome {}

  /** Wrong password, unknown address or disabled user: nobody is told which. */
  record InvalidCredentials() implements LoginOutcome {}

  /** Whether the password is right is not said. */
  record TooManyAttempts(Duration toWait) implements LoginOutcome {}
}
