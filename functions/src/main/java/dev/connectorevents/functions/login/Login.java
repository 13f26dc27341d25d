package dev.connectorevents.functions.login;

import dev.connectorevents.token.Tokens;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.LoginAttempts;
import dev.connectorevents.user.PasswordHash;
import dev.connectorevents.user.User;
import dev.connectorevents.user.Users;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Begins a session for somebody who knows the password. */
final class Login {

  private final LoginAttempts attempts;
  private final Users users;
  private final Tokens tokens;
  private final Duration tokenLifetime;
  private final PasswordHash nobody;
  private final Clock clock;

  /**
   * @param bcryptCost of the check that is made for an unknown address, so that it takes as long
   */
  Login(
      LoginAttempts attempts,
      Users users,
      Tokens tokens,
      Duration tokenLifetime,
      int bcryptCost,
      Clock clock) {
    this.attempts = attempts;
    this.users = users;
    this.tokens = tokens;
    this.tokenLifetime = tokenLifetime;
    this.nobody = PasswordHash.unmatchable(bcryptCost);
    this.clock = clock;
  }

  /**
   * Tries a password.
   *
   * @param source the address that the connection comes from
   */
  LoginOutcome login(Email email, String password, String source) {
    Optional<Duration> toWait = attempts.begin(email, source);
    if (toWait.isPresent()) {
      return new LoginOutcome.TooManyAttempts(toWait.get());
    }
    // Before the user is read: a session that a revocation should end cannot begin after it.
    Instant now = clock.instant();
    Optional<User> user = users.find(email);
    boolean matches = user.map(User::passwordHash).orElse(nobody).matches(password);
    if (user.isEmpty() || !matches || !user.get().isActive()) {
      return new LoginOutcome.InvalidCredentials();
    }
    attempts.succeeded(email, source);
    Instant authTime = user.get().sessionStart(now);
    return new LoginOutcome.LoggedIn(tokens.issue(user.get(), authTime, tokenLifetime));
  }
}
