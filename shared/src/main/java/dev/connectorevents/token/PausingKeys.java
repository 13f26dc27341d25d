package dev.connectorevents.token;

import dev.connectorevents.Remembered;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** After a failure, rethrows it for a while instead of calling the store again. */
final class PausingKeys implements SigningKeys {

  private final SigningKeys keys;
  private final Duration pause;
  private final Clock clock;
  private @Nullable Remembered<RuntimeException> failure;

  PausingKeys(SigningKeys keys, Duration pause, Clock clock) {
    this.keys = keys;
    this.pause = pause;
    this.clock = clock;
  }

  @Override
  public SigningKey current() {
    return read(keys::current);
  }

  @Override
  public Optional<SigningKey> previous() {
    return read(keys::previous);
  }

  @Override
  public Optional<SigningKey> pending() {
    return read(keys::pending);
  }

  /** During the pause, rethrows the store's last failure. */
  void requireAnswers() {
    if (failure != null && failure.isYoungerThan(pause, clock.instant())) {
      throw failure.value();
    }
  }

  /** The pause begins after the call: a call that hangs may take longer than the pause. */
  private <T> T read(Supplier<T> call) {
    requireAnswers();
    try {
      return call.get();
    } catch (RuntimeException e) {
      failure = new Remembered<>(e, clock.instant());
      throw e;
    }
  }
}
