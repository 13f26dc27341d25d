package dev.connectorevents.token;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Optional;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** Signing keys for tests, which can be rotated; counts how often they are read. */
public final class InMemorySigningKeys implements SigningKeys {

  private SigningKey current = key("v1");
  private @Nullable SigningKey previous;
  private int reads;

  /** A key whose bytes follow from its id, so that a test can sign with it too. */
  public static SigningKey key(String id) {
    byte[] bytes = id.repeat(32).getBytes(UTF_8);
    return new SigningKey(id, new SecretKeySpec(bytes, "HmacSHA256"));
  }

  public void rotate(String id) {
    previous = current;
    current = key(id);
  }

  @Override
  public SigningKey current() {
    reads++;
    return current;
  }

  @Override
  public Optional<SigningKey> previous() {
    reads++;
    return Optional.ofNullable(previous);
  }

  public int reads() {
    return reads;
  }
}
