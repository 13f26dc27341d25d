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
 * Reads the signing keys from a secret by staging label. It never reads by a VersionId that a token
 * names: old versions stay readable that way.
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
        .orElseThrow(() ->
            new DependencyUnavailableException("no version of the signing key is " + CURRENT));
  }

  @Override
  public Optional<SigningKey> previous() {
    return secret.find(PREVIOUS, null); // none before the first rotation
  }

  @Override
  public Optional<SigningKey> pending() {
    return secret.find(PENDING, null); // none before the first rotation
  }
}
