package dev.connectorevents.token;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Leaves a store that has just failed alone for a pause, in which its failure is the answer. */
final class PausingKeys implements SigningKeys {

  private final SigningKeys keys;
  private final Duration pause;
  private final Clock clock;
  private @Nullable RuntimeException failure;
  private Instant askedAgainFrom = Instant.MIN;

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

  /** Throws, in the pause, what the store threw. */
  void requireAnswers() {
    if (failure != null && clock.instant().isBefore(askedAgainFrom)) {
      throw failure;
    }
  }

  /** The pause begins when the call has failed: one that hangs may last as long itself. */
  private <T> T read(Supplier<T> call) {
    requireAnswers();
    try {
      return call.get();
    } catch (RuntimeException e) {
      failure = e;
      askedAgainFrom = clock.instant().plus(pause);
      throw e;
    }
  }
}
