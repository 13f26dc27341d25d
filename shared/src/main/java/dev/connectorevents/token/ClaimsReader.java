package dev.connectorevents.token;

import dev.connectorevents.user.Email;
import io.jsonwebtoken.JwtException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads the claims of a token whose signature, issuer and expiry were checked. */
final class ClaimsReader {

  private final io.jsonwebtoken.Claims jwt;
  private final String keyId;
  private final Instant latest;

  /**
   * @param keyId of the key that verified the token
   * @param latest sessions that begin later are refused: a revocation could not end one, and a
   *     leaked key could sign one
   */
  ClaimsReader(io.jsonwebtoken.Claims jwt, String keyId, Instant latest) {
    this.jwt = jwt;
    this.keyId = keyId;
    this.latest = latest;
  }

  /**
   * Reads the claims.
   *
   * @throws JwtException if a claim has another type than ours
   * @throws IllegalArgumentException if a claim is missing or wrong
   * @throws DateTimeException if a time is beyond what {@link Instant} holds
   */
  Claims read() {
    return new Claims(
        required(jwt.getId()),
        keyId,
        UUID.fromString(required(jwt.getSubject())),
        new Email(required(jwt.get(Claims.EMAIL, String.class))),
        past(required(jwt.getIssuedAt()).toInstant()),
        required(jwt.getExpiration()).toInstant(),
        authTime());
  }

  /** Null for a static token. Any other token must have {@code auth_time}. */
  private @Nullable Instant authTime() {
    String use = jwt.get(Claims.TOKEN_USE, String.class);
    if (use == null) {
      return past(Instant.ofEpochSecond(required(jwt.get(Claims.AUTH_TIME, Long.class))));
    }
    if (!use.equals(Claims.STATIC) || jwt.containsKey(Claims.AUTH_TIME)) {
      throw new IllegalArgumentException("unknown token_use, or a static token with auth_time");
    }
    return null;
  }

  private Instant past(Instant time) {
    if (time.isAfter(latest)) {
      throw new IllegalArgumentException("a time is in the future");
    }
    return time;
  }

  private static <T> T required(@Nullable T claim) {
    if (claim == null) {
      throw new IllegalArgumentException("a claim is missing");
    }
    return claim;
  }
}
