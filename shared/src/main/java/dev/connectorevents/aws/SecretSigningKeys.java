package dev.connectorevents.aws;

import static dev.connectorevents.aws.DependencyUnavailableException.calling;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.token.SigningKey;
import dev.connectorevents.token.SigningKeys;
import java.util.Optional;
import javax.crypto.spec.SecretKeySpec;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;
import software.amazon.awssdk.services.secretsmanager.model.GetSecretValueResponse;
import software.amazon.awssdk.services.secretsmanager.model.ResourceNotFoundException;

/**
 * Signing keys in one secret of Secrets Manager: by its staging labels, never by a VersionId that a
 * token brought, since old versions stay readable under theirs.
 */
public final class SecretSigningKeys implements SigningKeys {

  private final SecretsManagerClient secretsManager;
  private final String secretId;

  /**
   * @param secretId the secret's ARN or name
   */
  public SecretSigningKeys(SecretsManagerClient secretsManager, String secretId) {
    this.secretsManager = secretsManager;
    this.secretId = secretId;
  }

  @Override
  public SigningKey current() {
    return read("AWSCURRENT");
  }

  @Override
  public Optional<SigningKey> previous() {
    return find("AWSPREVIOUS"); // none before the first rotation
  }

  @Override
  public Optional<SigningKey> pending() {
    return find("AWSPENDING"); // none between rotations
  }

  private Optional<SigningKey> find(String stage) {
    try {
      return Optional.of(read(stage));
    } catch (DependencyUnavailableException e) {
      if (e.getCause() instanceof ResourceNotFoundException) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private SigningKey read(String stage) {
    GetSecretValueResponse secret =
        calling(
            "GetSecretValue of " + stage,
            () -> secretsManager.getSecretValue(get -> get.secretId(secretId).versionStage(stage)));
    return key(secret);
  }

  /**
   * A version's key under its VersionId.
   *
   * @throws DependencyUnavailableException if the version holds bytes, or nothing, and no text
   */
  static SigningKey key(GetSecretValueResponse secret) {
    if (secret.secretString() == null || secret.secretString().isEmpty()) {
      throw new DependencyUnavailableException(
          "version " + secret.versionId() + " of the signing key has no SecretString");
    }
    byte[] key = secret.secretString().getBytes(UTF_8);
    return new SigningKey(secret.versionId(), new SecretKeySpec(key, "HmacSHA256"));
  }
}
