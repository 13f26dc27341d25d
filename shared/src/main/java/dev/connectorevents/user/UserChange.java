package dev.connectorevents.user;

import java.time.Instant;

/**
 * What an operator may change about a user.
 *
 * <p>A change that ends the user's sessions says from when on new ones count, in whole seconds. It
 * ends all that began before the change, and so the user is given a later time if it has this one
 * already.
 */
public sealed interface UserChange {

  /** Lets the user in again; its tokens of before stay ended. */
  record Enable() implements UserChange {}

  record Disable(Instant tokensValidFrom) implements UserChange {}

  record SetPassword(PasswordHash passwordHash, Instant tokensValidFrom) implements UserChange {}

  record RevokeTokens(Instant tokensValidFrom) implements UserChange {}
}
