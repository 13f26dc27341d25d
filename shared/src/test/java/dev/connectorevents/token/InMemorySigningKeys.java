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
  private boolean failing;

  /** A key whose bytes follow from its id, so that a test can sign with it too. */
  public static SigningKey key(String id) {
    byte[] bytes = id.repeat(32).getBytes(UTF_8);
    return new SigningKey(id, new SecretKeySpec(bytes, "HmacSHA256"));
  }

  /** Whether the store is to be out of reach from now on. */
  public void fail(boolean failing) {
    this.failing = failing;
  }

  public void rotate(String id) {
    previous = current;
    current = key(id);
  }

  @Override
  public SigningKey current() {
    read();
    return current;
  }

  @Override
  public Optional<SigningKey> previous() {
    read();
    return Optional.ofNullable(previous);
  }

  private void read() {
    reads++;
    if (failing) {
      throw new IllegalStateException("out of reach");
    }
  }

  public int reads() {
    return reads;
  }
}
