package dev.connectorevents.token;

import io.jsonwebtoken.ExpiredJwtException;
import io.jsonwebtoken.Header;
import io.jsonwebtoken.Jws;
import io.jsonwebtoken.JwsHeader;
import io.jsonwebtoken.JwtException;
import io.jsonwebtoken.JwtParser;
import io.jsonwebtoken.Jwts;
import java.security.Key;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Date;
import org.jspecify.annotations.Nullable;

/** Checks tokens: those that it remembers by their text, all others in full. */
final class TokenChecker {

  private final KeyRing keys;
  private final Clock clock;
  private final JwtParser parser;
  private final RememberedTokens remembered;

  /**
   * @param issuer the {@code iss} of every token that is accepted
   */
  TokenChecker(String issuer, KeyRing keys, Clock clock) {
    this.keys = keys;
    this.clock = clock;
    this.remembered = new RememberedTokens(keys, clock);
    this.parser =
        Jwts.parser()
            .json(new JwtJson.Reader())
            .clock(() -> Date.from(clock.instant()))
            .clockSkewSeconds(Tokens.CLOCK_SKEW.toSeconds())
            .requireIssuer(issuer)
            .sig()
            .clear()
            .add(Jwts.SIG.HS256)
            .and()
            // A compressed token could grow without bound before jjwt checks its signature.
            .zip()
            .clear()
            .and()
            .keyLocator(this::locate)
            .build();
  }

  /** See {@link Tokens#check}. */
  CheckedToken check(String token) {
    return remembered
        .find(token)
        .<CheckedToken>map(CheckedToken.Valid::new)
        .orElseGet(() -> checkInFull(token));
  }

  private CheckedToken checkInFull(String token) {
    if (!isOfCompactForm(token)) {
      return new CheckedToken.Invalid(); // jjwt skips other characters around a signature
    }
    Instant now = clock.instant();
    try {
      Jws<io.jsonwebtoken.Claims> jwt = parser.parseSignedClaims(token);
      Instant latest = clock.instant().plus(Tokens.CLOCK_SKEW);
      String keyId = jwt.getHeader().getKeyId();
      Claims claims = new ClaimsReader(jwt.getPayload(), keyId, latest).read();
      remembered.add(token, claims, now);
      return new CheckedToken.Valid(claims);
    } catch (ExpiredJwtException e) {
      return new CheckedToken.Expired();
    } catch (JwtException | IllegalArgumentException | DateTimeException e) {
      return new CheckedToken.Invalid();
    }
  }

  /** Base64url and dots (RFC 7515, 7.1). */
  private static boolean isOfCompactForm(String token) {
    for (int i = 0; i < token.length(); i++) {
      if (!isOfCompactForm(token.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isOfCompactForm(char character) {
    return (character >= 'A' && character <= 'Z')
        || (character >= 'a' && character <= 'z')
        || (character >= '0' && character <= '9')
        || character == '-'
        || character == '_'
        || character == '.';
  }

  /**
   * The key that verifies a token. Null, as jjwt expects, if the token names no key of ours or is
   * encrypted.
   */
  private @Nullable Key locate(Header header) {
    return header instanceof JwsHeader && header.get("kid") instanceof String id
        ? keys.verifying(id).map(SigningKey::key).orElse(null)
        : null;
  }
}
