package dev.connectorevents.aws;

import static dev.connectorevents.aws.DependencyUnavailableException.calling;

import dev.connectorevents.token.RotationState;
import dev.connectorevents.token.SigningKey;
import dev.connectorevents.token.SigningKeyVersions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;
import software.amazon.awssdk.services.secretsmanager.model.DescribeSecretResponse;
import software.amazon.awssdk.services.secretsmanager.model.GetSecretValueResponse;
import software.amazon.awssdk.services.secretsmanager.model.ResourceNotFoundException;

/** The versions of the secret in Secrets Manager, told apart by their staging labels. */
public final class SecretVersions implements SigningKeyVersions {

  private static final String CURRENT = "AWSCURRENT";
  private static final String PENDING = "AWSPENDING";

  private final SecretsManagerClient secretsManager;
  private final String secretId;

  /**
   * @param secretId the secret's ARN or name
   */
  public SecretVersions(SecretsManagerClient secretsManager, String secretId) {
    this.secretsManager = secretsManager;
    this.secretId = secretId;
  }

  @Override
  public RotationState state() {
    DescribeSecretResponse secret =
        calling(
            "DescribeSecret",
            () -> secretsManager.describeSecret(describe -> describe.secretId(secretId)));
    return new RotationState(
        // Null while it has no schedule yet: Secrets Manager may try the function before that.
        !Boolean.FALSE.equals(secret.rotationEnabled()),
        labelled(secret, CURRENT),
        labelled(secret, PENDING));
  }

  private static Optional<String> labelled(DescribeSecretResponse secret, String label) {
    for (Map.Entry<String, List<String>> version : secret.versionIdsToStages().entrySet()) {
      if (version.getValue().contains(label)) {
        return Optional.of(version.getKey());
      }
    }
    return Optional.empty();
  }

  @Override
  public Optional<SigningKey> pending(String version) {
    try {
      GetSecretValueResponse secret =
          calling(
              "GetSecretValue of " + PENDING,
              () ->
                  secretsManager.getSecretValue(
                      get -> get.secretId(secretId).versionId(version).versionStage(PENDING)));
      return Optional.of(SecretSigningKeys.key(secret));
    } catch (DependencyUnavailableException e) {
      if (e.getCause() instanceof ResourceNotFoundException) {
        return Optional.empty();
      }
      throw e;
    }
  }

  @Override
  public void store(String version, String keyText) {
    calling(
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
    calling(
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
