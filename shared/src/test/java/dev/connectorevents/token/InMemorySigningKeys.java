package dev.connectorevents.token;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.DependencyUnavailableException;
import java.util.Optional;
import java.util.Random;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** Implements {@link SigningKeys} in memory. Tests can rotate the keys. Counts the reads. */
public final class InMemorySigningKeys implements SigningKeys {

  private SigningKey current = key("v1");
  private @Nullable SigningKey previous;
  private @Nullable SigningKey pending;
  private int reads;
  private boolean failing;
  private Runnable beforeRead = () -> {};

  /** A key that depends only on its id, so that a test can sign with it too. */
  public static SigningKey key(String id) {
    return key(id, KeyText.random(new Random(id.hashCode())));
  }

  private static SigningKey key(String id, String text) {
    return new SigningKey(id, new SecretKeySpec(text.getBytes(UTF_8), "HmacSHA256"));
  }

  /** Begins an outage, in which all reads fail. Ends it if {@code failing} is false. */
  public void fail(boolean failing) {
    this.failing = failing;
  }

  /** Sets an action that runs before each read of a key. */
  public void beforeRead(Runnable action) {
    beforeRead = action;
  }

  /** Begins a rotation: the key with this id becomes pending. {@link #rotate} makes it current. */
  public void prepare(String id) {
    pending = key(id);
  }

  /** Makes a key with this text pending, as an operator can do by hand. */
  public void prepare(String id, String text) {
    pending = key(id, text);
  }

  /**
   * Makes the key with this id current, even if {@link #prepare} was not called. It stays pending
   * until the next rotation.
   */
  public void rotate(String id) {
    previous = current;
    current = key(id);
    pending = current;
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

  @Override
  public Optional<SigningKey> pending() {
    read();
    return Optional.ofNullable(pending);
  }

  private void read() {
    reads++;
    beforeRead.run();
    if (failing) {
      throw new DependencyUnavailableException("the keys cannot be read");
    }
  }

  public int reads() {
    return reads;
  }
}
