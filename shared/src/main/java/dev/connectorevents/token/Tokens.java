package dev.connectorevents.token;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.User;
import io.jsonwebtoken.ExpiredJwtException;
import io.jsonwebtoken.Header;
import io.jsonwebtoken.Jws;
import io.jsonwebtoken.JwsHeader;
import io.jsonwebtoken.JwtBuilder;
import io.jsonwebtoken.JwtException;
import io.jsonwebtoken.JwtParser;
import io.jsonwebtoken.Jwts;
import io.jsonwebtoken.io.AbstractDeserializer;
import io.jsonwebtoken.io.AbstractSerializer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Reader;
import java.security.Key;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Issues and checks access tokens: JWTs signed with HS256 and nothing else (RFC 8725); the only
 * class that knows jjwt.
 */
public final class Tokens {

  /** How far two correct clocks may differ. */
  static final Duration CLOCK_SKEW = Duration.ofSeconds(30);

  private static final String EMAIL = "email";
  private static final String AUTH_TIME = "auth_time";
  private static final String TOKEN_USE = "token_use";
  private static final String STATIC = "static";

  /** Makes jjwt read with {@link TokenJson}. */
  private static final class JsonReader extends AbstractDeserializer<Map<String, ?>> {
    @Override
    protected Map<String, ?> doDeserialize(Reader reader) throws IOException {
      return TokenJson.read(reader);
    }
  }

  /** Makes jjwt write with {@link TokenJson}. */
  private static final class JsonWriter extends AbstractSerializer<Map<String, ?>> {
    @Override
    protected void doSerialize(Map<String, ?> members, OutputStream output) throws IOException {
      TokenJson.write(members, output);
    }
  }

  private final String issuer;
  private final KeyRing keys;
  private final Clock clock;
  private final JwtParser parser;
  private final RememberedTokens remembered;

  /**
   * @param issuer the {@code iss} of every token that is issued or accepted
   */
  public Tokens(String issuer, KeyRing keys, Clock clock) {
    this.issuer = issuer;
    this.keys = keys;
    this.clock = clock;
    this.remembered = new RememberedTokens(keys, clock);
    this.parser =
        Jwts.parser()
            .json(new JsonReader()) // without it, jjwt would look for data binding
            .clock(() -> Date.from(clock.instant()))
            .clockSkewSeconds(CLOCK_SKEW.toSeconds())
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
            .claim(AUTH_TIME, authTime.getEpochSecond());
    return signed(jwt, keys.signing(), lifetime);
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
            .claim(TOKEN_USE, STATIC);
    return signed(jwt, keys.signing(), lifetime);
  }

  private JwtBuilder about(User user) {
    return Jwts.builder()
        .json(new JsonWriter())
        .issuer(issuer)
        .subject(user.id().toString())
        .id(UUID.randomUUID().toString())
        .claim(EMAIL, user.email().value());
  }

  private static AccessToken signed(JwtBuilder jwt, SigningKey key, Duration lifetime) {
    String value = jwt.header().keyId(key.id()).and().signWith(key.key(), Jwts.SIG.HS256).compact();
    return new AccessToken(value, lifetime);
  }

  /**
   * Checks a token's signature, issuer and times, but not its user's state.
   *
   * @throws DependencyUnavailableException if the keys cannot be read
   */
  public CheckedToken check(String token) {
    return remembered
        .find(token)
        .<CheckedToken>map(CheckedToken.Valid::new)
        .orElseGet(() -> checkInFull(token));
  }

  private CheckedToken checkInFull(String token) {
    if (!isOfCompactForm(token)) {
      return new CheckedToken.Invalid(); // jjwt would trim whitespace
    }
    Instant now = clock.instant();
    try {
      Jws<io.jsonwebtoken.Claims> jwt = parser.parseSignedClaims(token);
      Claims claims = claims(jwt.getPayload());
      remembered.add(token, claims, jwt.getHeader().getKeyId(), now);
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

  private Claims claims(io.jsonwebtoken.Claims jwt) {
    Instant issuedAt = required(jwt.getIssuedAt()).toInstant();
    requirePast(issuedAt);
    return new Claims(
        required(jwt.getId()),
        UUID.fromString(required(jwt.getSubject())),
        new Email(required(jwt.get(EMAIL, String.class))),
        issuedAt,
        required(jwt.getExpiration()).toInstant(),
        authTime(jwt));
  }

  /** Null for a static token. Any other token must have {@code auth_time}. */
  private @Nullable Instant authTime(io.jsonwebtoken.Claims jwt) {
    String use = jwt.get(TOKEN_USE, String.class);
    if (use == null) {
      Instant authTime = Instant.ofEpochSecond(required(jwt.get(AUTH_TIME, Long.class)));
      requirePast(authTime);
      return authTime;
    }
    if (!use.equals(STATIC) || jwt.containsKey(AUTH_TIME)) {
      throw new IllegalArgumentException("unknown token_use, or a static token with auth_time");
    }
    return null;
  }

  /**
   * Refuses sessions that begin in the future: a revocation could not end one, and a leaked key
   * could sign one.
   */
  private void requirePast(Instant time) {
    if (time.isAfter(clock.instant().plus(CLOCK_SKEW))) {
      throw new IllegalArgumentException("a time is in the future");
    }
  }

  private static <T> T required(@Nullable T claim) {
    if (claim == null) {
      throw new IllegalArgumentException("a claim is missing");
    }
    return claim;
  }
}
