package dev.connectorevents.local.history;

import java.util.UUID;

/** A user of the service. */
record Account(UUID id, String email) {
  static final String PASSWORD = "correct horse battery staple";
}
