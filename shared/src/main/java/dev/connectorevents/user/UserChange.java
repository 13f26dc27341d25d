package dev.connectorevents.user;

/** What an operator may change about a user. */
public sealed interface UserChange {

  /** Lets the user in again; its tokens of before stay ended. */
  record Enable() implements UserChange {}

  /** Ends the user's sessions, whatever else it does. */
  sealed interface Ending extends UserChange {
    Revocation revocation();
  }

  record Disable(Revocation revocation) implements Ending {}

  record SetPassword(PasswordHash passwordHash, Revocation revocation) implements Ending {}

  record RevokeTokens(Revocation revocation) implements Ending {}
}
