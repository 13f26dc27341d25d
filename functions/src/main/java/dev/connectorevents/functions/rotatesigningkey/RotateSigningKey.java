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
 * Replaces the signing key in steps. Each step may fail and be called again.
 *
 * <pre>
 *            createSecret       setSecret     testSecret     finishSecret
 *   nothing ──────────────► pending ─────────────────────────────────► current
 *                           verifies          (the old key: previous)
 * </pre>
 */
final class RotateSigningKey {

  private final SigningKeyRotation versions;
  private final RandomGenerator random;
  private final Clock clock;
  private final Consumer<Duration> waiting;

  /**
   * @param waiting waits for the given time
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
   * @param version the VersionId of the new key
   * @throws IllegalStateException if rotation is switched off, the version is neither pending nor
   *     current, or its key is missing or weak
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
      throw new IllegalStateException("the version is not pending");
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

  /** Waits until all functions can have read the key: there is no server to send it to. */
  private RotationOutcome makeKnown() {
    waiting.accept(KeyRing.TIME_TO_LEARN);
    return RotationOutcome.MADE_KNOWN;
  }

  /**
   * If the version has no key, Secrets Manager only tests that it can call the function. It does so
   * for a new schedule, with a version that it removes afterwards.
   */
  private RotationOutcome test(String version) {
    Optional<SigningKey> key = versions.pending(version);
    if (key.isEmpty()) {
      return RotationOutcome.NOTHING_TO_TEST;
    }
    requireFit(key.get());
    return RotationOutcome.TESTED;
  }

  /** Tests the key again: if this step came too early, the service would have no key. */
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
