package dev.connectorevents.user;

import dev.connectorevents.event.EventTypes;
import org.jspecify.annotations.Nullable;

/** A change that an operator makes to a user. */
public sealed interface UserChange {

  /** Lets the user in again; its earlier tokens stay revoked. */
  record Enable() implements UserChange {}

  /**
   * Gives the user another scope; its sessions go on.
   *
   * @param scope null lifts the scope
   */
  record SetScope(@Nullable EventTypes scope) implements UserChange {}

  /** A change that also ends the user's sessions. */
  sealed interface Ending extends UserChange {
    Revocation revocation();
  }

  record Disable(Revocation revocation) implements Ending {}

  record SetPassword(PasswordHash passwordHash, Revocation revocation) implements Ending {}

  record SetRole(Role role, Revocation revocation) implements Ending {}

  record RevokeTokens(Revocation revocation) implements Ending {}
}
