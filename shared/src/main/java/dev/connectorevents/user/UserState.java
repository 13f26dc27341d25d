package dev.connectorevents.user;

/** Whether an operator lets a user in. */
public enum UserState {
  ACTIVE,
  DISABLED
}
