package dev.connectorevents.local.inspector;

import dev.connectorevents.user.Email;
import java.util.Optional;

/**
 * A user that the inspector logs in as.
 *
 * @param password empty if only its hash is known
 */
public record LocalUser(Email email, Optional<String> password) {

  /** Hides the password: logs must not contain it. */
  @Override
  public String toString() {
    return "LocalUser[" + email + "]";
  }
}
