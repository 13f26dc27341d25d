package dev.connectorevents.functions.login;

import dev.connectorevents.token.AccessToken;
import dev.connectorevents.token.Tokens;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.LoginAttempts;
import dev.connectorevents.user.PasswordHash;
import dev.connectorevents.user.User;
import dev.connectorevents.user.UserWithHash;
import dev.connectorevents.user.Users;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Starts a session for a user who knows the password. */
final class Login {

  private final LoginAttempts attempts;
  private final Users users;
  private final Tokens tokens;
  private final Duration tokenLifetime;
  private final int bcryptCost;
  private final PasswordHash nobody;
  private final Clock clock;

  /**
   * @param bcryptCost the cost of the check for an unknown address. A login replaces a hash of
   *     another cost, so that known and unknown addresses take equally long.
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
    this.bcryptCost = bcryptCost;
    this.nobody = PasswordHash.unmatchable(bcryptCost);
    this.clock = clock;
  }

  /**
   * Tries a password.
   *
   * @param source the IP address that the connection comes from
   */
  LoginOutcome login(Email email, String password, String source) {
    return attempts
        .toWait(email, source)
        .<LoginOutcome>map(LoginOutcome.TooManyAttempts::new)
        .orElseGet(() -> attempt(email, password, source));
  }

  private LoginOutcome attempt(Email email, String password, String source) {
    // Taken before the user is read, so that a revocation after the read ends this session.
    Instant now = clock.instant();
    Optional<UserWithHash> found = users.findWithHash(email);
    boolean matches = found.map(UserWithHash::passwordHash).orElse(nobody).matches(password);
    Optional<UserWithHash> user = found.filter(there -> matches && there.user().isActive());
    Optional<Duration> toWait =
        user.isPresent() ? attempts.succeeded(email, source) : attempts.failed(email, source);
    if (toWait.isPresent()) {
      return new LoginOutcome.TooManyAttempts(toWait.get());
    }
    user.filter(known -> known.passwordHash().cost() != bcryptCost)
        .ifPresent(known ->
            users.rehash(email, known.passwordHash(), PasswordHash.of(password, bcryptCost)));
    return user.map(UserWithHash::user)
        .<LoginOutcome>map(known -> new LoginOutcome.LoggedIn(known, token(known, now)))
        .orElseGet(LoginOutcome.InvalidCredentials::new);
  }

  private AccessToken token(User user, Instant now) {
    return tokens.issue(user, user.sessionStart(now), tokenLifetime);
  }
}
