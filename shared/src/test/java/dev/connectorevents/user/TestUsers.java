package dev.connectorevents.user;

import dev.connectorevents.event.EventTypes;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Connectors for tests: one with a fixed id and its changed copies, and others of their own. */
public final class TestUsers {

  public static final String PASSWORD = "correct horse battery staple";

  /** The lowest cost that bcrypt allows, and so the fastest. */
  public static final int COST = 4;

  /** The hash of {@link #PASSWORD}. */
  public static final PasswordHash HASH = PasswordHash.of(PASSWORD, COST);

  public static final Instant CREATED = Instant.parse("2026-01-01T00:00:00Z");

  public static final User CONNECTOR =
      new User(
          UUID.fromString("01890000-0000-7000-8000-000000000001"),
          new Email("connector@example.com"),
          "Shop connector",
          UserState.ACTIVE,
          Role.CONNECTOR,
          null,
          CREATED,
          CREATED);

  private TestUsers() {}

  /** A connector of its own, without a name. */
  public static User user(String email) {
    return user(email, null);
  }

  public static User user(String email, @Nullable String name) {
    return user(email, name, null);
  }

  public static User user(String email, @Nullable String name, @Nullable EventTypes scope) {
    return new User(
        UUID.randomUUID(),
        new Email(email),
        name,
        UserState.ACTIVE,
        Role.CONNECTOR,
        scope,
        CREATED.plusMillis(123),
        CREATED.plus(Duration.ofDays(1)));
  }

  /** A revocation that ends the sessions before this time, or fails. */
  public static Revocation revocation(Instant from) {
    return new Revocation(from, from);
  }

  public static User withId(String id) {
    return copy(
        UUID.fromString(id), CONNECTOR.state(), CONNECTOR.role(), CONNECTOR.tokensValidFrom());
  }

  public static User disabled() {
    return copy(CONNECTOR.id(), UserState.DISABLED, CONNECTOR.role(), CONNECTOR.tokensValidFrom());
  }

  public static User revokedAt(Instant tokensValidFrom) {
    return copy(CONNECTOR.id(), CONNECTOR.state(), CONNECTOR.role(), tokensValidFrom);
  }

  public static User withRole(Role role) {
    return copy(CONNECTOR.id(), CONNECTOR.state(), role, CONNECTOR.tokensValidFrom());
  }

  /**
   * A copy of {@link #CONNECTOR} with this role and this scope.
   *
   * @param eventTypes the patterns of the scope, separated by commas; empty for a user without a
   *     scope
   */
  public static User withScope(Role role, String eventTypes) {
    return new User(
        CONNECTOR.id(),
        CONNECTOR.email(),
        CONNECTOR.name(),
        CONNECTOR.state(),
        role,
        eventTypes.isEmpty() ? null : EventTypes.parse(eventTypes).orElseThrow(),
        CONNECTOR.createdAt(),
        CONNECTOR.tokensValidFrom());
  }

  private static User copy(UUID id, UserState state, Role role, Instant tokensValidFrom) {
    return new User(
        id,
        CONNECTOR.email(),
        CONNECTOR.name(),
        state,
        role,
        null,
        CONNECTOR.createdAt(),
        tokensValidFrom);
  }
}
