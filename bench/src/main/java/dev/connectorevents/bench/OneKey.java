package dev.connectorevents.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.token.KeyRing;
import dev.connectorevents.token.SigningKey;
import dev.connectorevents.token.SigningKeys;
import dev.connectorevents.token.Tokens;
import java.time.Clock;
import java.util.Optional;
import javax.crypto.spec.SecretKeySpec;

/** The one key that there is, where nothing is rotated. */
public record OneKey(SigningKey current) implements SigningKeys {

  /**
   * Under the name of its version.
   *
   * @param text what the secret holds
   */
  public static OneKey of(String version, String text) {
    return new OneKey(
        new SigningKey(version, new SecretKeySpec(text.getBytes(UTF_8), "HmacSHA256")));
  }

  /** The tokens that it signs. */
  public Tokens tokens(String issuer) {
    Clock clock = Clock.systemUTC();
    return new Tokens(issuer, new KeyRing(this, clock), clock);
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
