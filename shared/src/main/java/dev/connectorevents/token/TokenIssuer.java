package dev.connectorevents.token;

import dev.connectorevents.user.User;
import io.jsonwebtoken.JwtBuilder;
import io.jsonwebtoken.Jwts;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.UUID;

/** Writes and signs tokens. */
final class TokenIssuer {

  private final String issuer;
  private final KeyRing keys;
  private final Clock clock;

  TokenIssuer(String issuer, KeyRing keys, Clock clock) {
    this.issuer = issuer;
    this.keys = keys;
    this.clock = clock;
  }

  /** See {@link Tokens#issue}. */
  AccessToken issue(User user, Instant authTime, Duration lifetime) {
    Instant now = clock.instant();
    JwtBuilder jwt =
        about(user)
            .issuedAt(Date.from(now))
            .expiration(Date.from(now.plus(lifetime)))
            .claim(Claims.AUTH_TIME, authTime.getEpochSecond());
    return signed(jwt, lifetime);
  }

  /** See {@link Tokens#issueStatic}. */
  AccessToken issueStatic(User user, Instant now, Duration lifetime) {
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
}
