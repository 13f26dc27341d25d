package dev.connectorevents.functions.rotatesigningkey;

import dev.connectorevents.token.CheckedToken;
import dev.connectorevents.token.KeyRing;
import dev.connectorevents.token.KeyText;
import dev.connectorevents.token.SigningKey;
import dev.connectorevents.token.SigningKeys;
import dev.connectorevents.token.Tokens;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.Role;
import dev.connectorevents.user.User;
import dev.connectorevents.user.UserState;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** Tests a new key with a token that nobody receives, before all tokens depend on the key. */
record TrialKeys(SigningKey current) implements SigningKeys {

  /** No function accepts this issuer. */
  private static final String ISSUER = "trial";

  /** Whether the key is strong, and signs a token that verifies. */
  boolean succeed(Clock clock) {
    Tokens tokens = new Tokens(ISSUER, new KeyRing(this, clock), clock);
    Instant now = clock.instant();
    return KeyText.isStrong(current)
        && tokens.check(tokens.issue(nobody(now), now, Duration.ofMinutes(1)).value())
            instanceof CheckedToken.Valid;
  }

  private static User nobody(Instant now) {
    return new User(
        new UUID(0, 0),
        new Email("nobody@example.invalid"),
        null,
        UserState.DISABLED,
        Role.CONNECTOR,
        null,
        now,
        now);
  }

  @Override
  public Optional<SigningKey> previous() {
    return Optional.empty();
  }

  @Override
  public Optional<SigningKey> pending() {
    return Optional.empty();
  }
}
