package dev.connectorevents.secretsmanager;

import static dev.connectorevents.secretsmanager.SigningKeySecret.CURRENT;
import static dev.connectorevents.secretsmanager.SigningKeySecret.PENDING;
import static dev.connectorevents.secretsmanager.SigningKeySecret.PREVIOUS;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.token.SigningKey;
import dev.connectorevents.token.SigningKeys;
import java.util.Optional;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;

/**
 * Signing keys in one secret of Secrets Manager: by its staging labels, never by a VersionId that a
 * token brought, since old versions stay readable under theirs.
 */
public final class SecretSigningKeys implements SigningKeys {

  private final SigningKeySecret secret;

  /**
   * @param secretId the secret's ARN or name
   */
  public SecretSigningKeys(SecretsManagerClient secretsManager, String secretId) {
    this.secret = new SigningKeySecret(secretsManager, secretId);
  }

  @Override
  public SigningKey current() {
    return secret
        .find(CURRENT, null)
        .orElseThrow(() -> new DependencyUnavailableException("no signing key is " + CURRENT));
  }

  @Override
  public Optional<SigningKey> previous() {
    return secret.find(PREVIOUS, null); // none before the first rotation
  }

  @Override
  public Optional<SigningKey> pending() {
    return secret.find(PENDING, null); // none between rotations
  }
}
