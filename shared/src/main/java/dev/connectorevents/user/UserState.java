package dev.connectorevents.user;

/** Whether a user may log in. */
public enum UserState {
  ACTIVE,
  DISABLED
}
