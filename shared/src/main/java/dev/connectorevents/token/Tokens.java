package dev.connectorevents.token;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.user.User;
import io.jsonwebtoken.JwtBuilder;
import io.jsonwebtoken.Jwts;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.UUID;

/** Issues and checks access tokens: JWTs signed with HS256 and nothing else (RFC 8725). */
public final class Tokens {

  /** How far two correct clocks may differ. */
  static final Duration CLOCK_SKEW = Duration.ofSeconds(30);

  private final String issuer;
  private final KeyRing keys;
  private final Clock clock;
  private final TokenChecker checker;

  /**
   * @param issuer the {@code iss} of every token that is issued or accepted
   */
  public Tokens(String issuer, KeyRing keys, Clock clock) {
    this.issuer = issuer;
    this.keys = keys;
    this.clock = clock;
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
    Instant now = clock.instant();
    JwtBuilder jwt =
        about(user)
            .issuedAt(Date.from(now))
            .expiration(Date.from(now.plus(lifetime)))
            .claim(Claims.AUTH_TIME, authTime.getEpochSecond());
    return signed(jwt, lifetime);
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
    JwtBuilder jwt =
        about(user)
            .issuedAt(Date.from(user.sessionStart(now)))
            .expiration(Date.from(now.plus(lifetime)))
            .claim(Claims.TOKEN_USE, Claims.STATIC);
    return signed(jwt, lifetime);
  }

  private JwtBuilder about(User user) {
    return Jwts.builder()
        .json(new JwtJson.Writer())
        .issuer(issuer)
        .subject(user.id().toString())
        .id(UUID.randomUUID().toString())
        .claim(Claims.EMAIL, user.email().value());
  }

  private AccessToken signed(JwtBuilder jwt, Duration lifetime) {
    SigningKey key = keys.signing();
    String value = jwt.header().keyId(key.id()).and().signWith(key.key(), Jwts.SIG.HS256).compact();
    return new AccessToken(value, lifetime);
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
