package dev.connectorevents.functions.rotatesigningkey;

import dev.connectorevents.token.KeyRing;
import dev.connectorevents.token.KeyText;
import dev.connectorevents.token.RotationState;
import dev.connectorevents.token.SigningKey;
import dev.connectorevents.token.SigningKeyRotation;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Replaces the signing key step by step, each of which may fail and be called again.
 *
 * <pre>
 *            createSecret       setSecret     testSecret     finishSecret
 *   nothing ──────────────► pending ─────────────────────────────────► current
 *                           verifies          (another one then: previous)
 * </pre>
 */
final class RotateSigningKey {

  private final SigningKeyRotation versions;
  private final RandomGenerator random;
  private final Clock clock;
  private final Consumer<Duration> waiting;

  /**
   * @param waiting waits for that long
   */
  RotateSigningKey(
      SigningKeyRotation versions,
      RandomGenerator random,
      Clock clock,
      Consumer<Duration> waiting) {
    this.versions = versions;
    this.random = random;
    this.clock = clock;
    this.waiting = waiting;
  }

  /**
   * Takes one step.
   *
   * @param version of the new key
   * @throws IllegalStateException if the version is not the one that a rotation is to bring
   */
  RotationOutcome take(RotationStep step, String version) {
    RotationState state = versions.state();
    if (!state.enabled()) {
      throw new IllegalStateException("the secret is not enabled for rotation");
    }
    if (state.current().equals(Optional.of(version))) {
      return RotationOutcome.ALREADY_FINISHED;
    }
    if (step == RotationStep.TEST && state.pending().isEmpty()) {
      return RotationOutcome.NOTHING_TO_TEST;
    }
    if (!state.pending().equals(Optional.of(version))) {
      throw new IllegalStateException("the version is not the one that is pending");
    }
    return switch (step) {
      case CREATE -> create(version);
      case SET -> makeKnown();
      case TEST -> test(version);
      case FINISH -> finish(version, state);
    };
  }

  private RotationOutcome create(String version) {
    if (versions.pending(version).isPresent()) {
      return RotationOutcome.ALREADY_CREATED;
    }
    versions.store(version, KeyText.random(random));
    return RotationOutcome.CREATED;
  }

  /** There is no server to give the key to: the functions fetch it, and need the time to. */
  private RotationOutcome makeKnown() {
    waiting.accept(KeyRing.TIME_TO_LEARN);
    return RotationOutcome.MADE_KNOWN;
  }

  /**
   * Without a key, Secrets Manager only tries whether the function can be called: it does so when a
   * schedule is new, on a version that it takes away again.
   */
  private RotationOutcome test(String version) {
    Optional<SigningKey> key = versions.pending(version);
    if (key.isEmpty()) {
      return RotationOutcome.NOTHING_TO_TEST;
    }
    requireFit(key.get());
    return RotationOutcome.TESTED;
  }

  /** Tests once more: called too early, it would leave the service without a key. */
  private RotationOutcome finish(String version, RotationState state) {
    requireFit(
        versions
            .pending(version)
            .orElseThrow(() -> new IllegalStateException("the pending version has no key yet")));
    versions.makeCurrent(
        version,
        state.current().orElseThrow(() -> new IllegalStateException("no version is current")));
    return RotationOutcome.FINISHED;
  }

  private void requireFit(SigningKey key) {
    if (!new TrialKeys(key).succeed(clock)) {
      throw new IllegalStateException("the pending key is not fit to sign");
    }
  }
}
