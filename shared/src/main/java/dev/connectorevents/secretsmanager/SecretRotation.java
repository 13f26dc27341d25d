package dev.connectorevents.secretsmanager;

import static dev.connectorevents.secretsmanager.SecretSigningKeys.CURRENT;
import static dev.connectorevents.secretsmanager.SecretSigningKeys.PENDING;
import static dev.connectorevents.secretsmanager.SecretSigningKeys.call;

import dev.connectorevents.token.RotationState;
import dev.connectorevents.token.SigningKey;
import dev.connectorevents.token.SigningKeyRotation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;
import software.amazon.awssdk.services.secretsmanager.model.DescribeSecretResponse;

/** Rotates the signing key by moving the staging labels of its secret's versions. */
public final class SecretRotation implements SigningKeyRotation {

  private final SecretsManagerClient secretsManager;
  private final String secretId;
  private final SecretSigningKeys keys;

  /**
   * @param secretId the secret's ARN or name
   */
  public SecretRotation(SecretsManagerClient secretsManager, String secretId) {
    this.secretsManager = secretsManager;
    this.secretId = secretId;
    this.keys = new SecretSigningKeys(secretsManager, secretId);
  }

  @Override
  public RotationState state() {
    DescribeSecretResponse described =
        call(
            "DescribeSecret",
            () -> secretsManager.describeSecret(describe -> describe.secretId(secretId)));
    return new RotationState(
        // Null until the secret has a schedule: Secrets Manager may test the function before that.
        !Boolean.FALSE.equals(described.rotationEnabled()),
        labelled(described, CURRENT),
        labelled(described, PENDING));
  }

  private static Optional<String> labelled(DescribeSecretResponse described, String label) {
    for (Map.Entry<String, List<String>> version : described.versionIdsToStages().entrySet()) {
      if (version.getValue().contains(label)) {
        return Optional.of(version.getKey());
      }
    }
    return Optional.empty();
  }

  @Override
  public Optional<SigningKey> pending(String version) {
    return keys.find(PENDING, version);
  }

  @Override
  public void store(String version, String keyText) {
    call(
        "PutSecretValue",
        () ->
            secretsManager.putSecretValue(put ->
                put.secretId(secretId)
                    .clientRequestToken(version)
                    .secretString(keyText)
                    .versionStages(PENDING)));
  }

  @Override
  public void makeCurrent(String version, String before) {
    call(
        "UpdateSecretVersionStage",
        () ->
            secretsManager.updateSecretVersionStage(update ->
                update
                    .secretId(secretId)
                    .versionStage(CURRENT)
                    .moveToVersionId(version)
                    .removeFromVersionId(before)));
  }
}
