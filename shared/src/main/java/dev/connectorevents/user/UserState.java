package dev.connectorevents.user;

/** Whether a user may log in and use its tokens. */
public enum UserState {
  ACTIVE,
  DISABLED
}
