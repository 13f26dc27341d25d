package dev.connectorevents.acceptance.search;

import dev.connectorevents.acceptance.service.WorldClock;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;

/** Rotates the signing key of a deployment, and records each attempt. */
final class KeyRotator implements AutoCloseable {

  private static final int MAX_ATTEMPTS = 4;
  private static final String SECRET = "SigningKeySecret";

  private final SecretsManagerClient secrets;
  private final CallHistory history;
  private final WorldClock time;

  KeyRotator(SecretsManagerClient secrets, CallHistory history, WorldClock time) {
    this.secrets = secrets;
    this.history = history;
    this.time = time;
  }

  /**
   * Rotates the signing key, in up to {@value #MAX_ATTEMPTS} attempts. An attempt that fails may
   * still have made a new key the current one.
   *
   * @return whether an attempt succeeded
   */
  boolean rotate() {
    boolean isDone = false;
    for (int attempt = 0; attempt < MAX_ATTEMPTS && !isDone; attempt++) {
      Stopwatch watch = Stopwatch.start(time);
      try {
        secrets.rotateSecret(it -> it.secretId(SECRET));
        isDone = true;
      } catch (SdkException e) {
        // The next attempt continues this rotation, or begins another.
      }
      history.add(new CallHistory.Rotation(watch.stop(), isDone, currentKeyId()));
    }
    return isDone;
  }

  private String currentKeyId() {
    return secrets.getSecretValue(it -> it.secretId(SECRET)).versionId();
  }

  @Override
  public void close() {
    secrets.close();
  }
}
