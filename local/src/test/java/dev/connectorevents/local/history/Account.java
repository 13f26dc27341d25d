package dev.connectorevents.local.history;

import dev.connectorevents.user.Role;
import java.util.UUID;

/**
 * A user of the service.
 *
 * @param role its first one
 */
record Account(UUID id, String email, Role role) {
  static final String PASSWORD = "correct horse battery staple";
}
