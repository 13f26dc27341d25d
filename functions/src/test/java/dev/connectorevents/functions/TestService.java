package dev.connectorevents.functions;

import static dev.connectorevents.user.TestUsers.CONNECTOR;

import dev.connectorevents.AdjustableClock;
import dev.connectorevents.access.Guard;
import dev.connectorevents.token.InMemorySigningKeys;
import dev.connectorevents.token.KeyRing;
import dev.connectorevents.token.Tokens;
import dev.connectorevents.user.InMemoryUsers;
import java.time.Duration;

/** What functions need in tests: users and keys in memory, real tokens, and a real guard. */
public final class TestService {

  public static final Duration HOUR = Duration.ofHours(1);
  private static final String ISSUER = "test";

  public final AdjustableClock clock = new AdjustableClock("2026-11-20T12:00:00.123456Z");
  public final InMemoryUsers users = new InMemoryUsers();
  public final InMemorySigningKeys keys = new InMemorySigningKeys();
  public final Tokens tokens = new Tokens(ISSUER, new KeyRing(keys, clock), clock);
  public final Guard guard = new Guard(tokens, users);

  public TestService() {
    users.put(CONNECTOR);
  }

  /** A token of the connector, for a session that starts now. */
  public String token() {
    return tokens.issue(CONNECTOR, clock.instant(), HOUR).value();
  }

  /** A static token of the connector, valid for 365 days. */
  public String staticToken() {
    return tokens.issueStatic(CONNECTOR, clock.instant(), Duration.ofDays(365)).value();
  }
}
