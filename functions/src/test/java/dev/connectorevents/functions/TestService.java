package dev.connectorevents.functions;

import static dev.connectorevents.user.TestUsers.CONNECTOR;

import dev.connectorevents.AdjustableClock;
import dev.connectorevents.http.Guard;
import dev.connectorevents.token.InMemorySigningKeys;
import dev.connectorevents.token.KeyRing;
import dev.connectorevents.token.SigningKey;
import dev.connectorevents.token.Tokens;
import dev.connectorevents.user.InMemoryUsers;
import io.jsonwebtoken.Jwts;
import java.time.Duration;
import java.util.Date;
import java.util.UUID;

/** What functions are made of in tests: real tokens and guards over users in memory. */
public final class TestService {

  public static final Duration HOUR = Duration.ofHours(1);
  private static final String ISSUER = "test";

  public final AdjustableClock clock = new AdjustableClock("2026-11-20T12:00:00.123456Z");
  public final InMemoryUsers users = new InMemoryUsers();
  public final Tokens tokens =
      new Tokens(ISSUER, new KeyRing(new InMemorySigningKeys(), clock), clock);
  public final Guard guard = new Guard(tokens, users);

  public TestService() {
    users.put(CONNECTOR);
  }

  /** A token of a session that begins now. */
  public String token() {
    return tokens.issue(CONNECTOR, clock.instant(), HOUR).value();
  }

  /** As an operator issues it, for a year. */
  public String staticToken() {
    SigningKey key = InMemorySigningKeys.key("v1");
    return Jwts.builder()
        .header()
        .keyId(key.id())
        .and()
        .issuer(ISSUER)
        .subject(CONNECTOR.id().toString())
        .id(UUID.randomUUID().toString())
        .issuedAt(Date.from(clock.instant()))
        .expiration(Date.from(clock.instant().plus(Duration.ofDays(365))))
        .claim("email", CONNECTOR.email().value())
        .claim("token_use", "static")
        .signWith(key.key())
        .compact();
  }
}
