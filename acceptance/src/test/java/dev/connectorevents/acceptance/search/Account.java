package dev.connectorevents.acceptance.search;

import dev.connectorevents.user.Role;
import java.util.UUID;

/**
 * A user of the service.
 *
 * @param role the user's role at creation
 * @param password the password with which the user tries to log in; wrong if {@link #isGuessed}
 */
record Account(UUID id, String email, Role role, String password) {

  static final String PASSWORD = "correct horse battery staple";

  /** This account with a wrong password. */
  Account guessed() {
    return new Account(id, email, role, "incorrect donkey battery staple");
  }

  boolean isGuessed() {
    return !password.equals(PASSWORD);
  }
}
