package dev.connectorevents.bench;

import dev.connectorevents.user.Email;
import dev.connectorevents.user.User;
import dev.connectorevents.user.UserState;
import java.time.Instant;
import java.util.UUID;

/** Whose requests are measured. */
public final class BenchUser {

  private BenchUser() {}

  public static User create() {
    return new User(
        UUID.randomUUID(),
        new Email("connector@example.com"),
        "Bench",
        UserState.ACTIVE,
        Instant.EPOCH,
        Instant.EPOCH);
  }
}
