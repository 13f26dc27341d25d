package dev.connectorevents.functions.login;

import dev.connectorevents.token.AccessToken;

/** How a login ended. */
sealed interface LoginOutcome {

  record LoggedIn(AccessToken token) implements LoginOutcome {}

  /** Wrong password, unknown address or disabled user: nobody is told which. */
  record InvalidCredentials() implements LoginOutcome {}
}
