package dev.connectorevents.token;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.user.User;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** Issues and checks access tokens: JWTs signed with HS256 and nothing else (RFC 8725). */
public final class Tokens {

  /** How far two correct clocks may differ. */
  static final Duration CLOCK_SKEW = Duration.ofSeconds(30);

  private final TokenIssuer issuer;
  private final TokenChecker checker;

  /**
   * @param issuer the {@code iss} of every token that is issued or accepted
   */
  public Tokens(String issuer, KeyRing keys, Clock clock) {
    this.issuer = new TokenIssuer(issuer, keys, clock);
    this.checker = new TokenChecker(issuer, keys, clock);
  }

  /**
   * Issues a token of a session. Its times are whole seconds.
   *
   * @param authTime when the user logged in
   * @param lifetime from now until it expires
   * @throws DependencyUnavailableException if the signing key cannot be read
   */
  public AccessToken issue(User user, Instant authTime, Duration lifetime) {
    return issuer.issue(user, authTime, lifetime);
  }

  /**
   * Issues a token without a login, for a connector that has no password. Its times are whole
   * seconds.
   *
   * @param now a time before the user was read, so that a later revocation ends the token
   * @param lifetime from then until it expires
   * @throws DependencyUnavailableException if the signing key cannot be read
   */
  public AccessToken issueStatic(User user, Instant now, Duration lifetime) {
    return issuer.issueStatic(user, now, lifetime);
  }

  /**
   * Checks a token's signature, issuer and times, but not its user's state.
   *
   * @throws DependencyUnavailableException if the keys cannot be read
   */
  public CheckedToken check(String token) {
    return checker.check(token);
  }
}
