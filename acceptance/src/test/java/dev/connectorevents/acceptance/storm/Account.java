package dev.connectorevents.acceptance.storm;

import dev.connectorevents.user.Role;
import java.util.UUID;

/** A user of the service. */
record Account(UUID id, String email, Role role) {

  static final String PASSWORD = "correct horse battery staple";
}
