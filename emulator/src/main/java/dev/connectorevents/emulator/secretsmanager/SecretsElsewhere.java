package dev.connectorevents.emulator.secretsmanager;

import dev.connectorevents.emulator.template.SecretDefinition;
import java.util.List;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;
import software.amazon.awssdk.services.secretsmanager.model.ResourceExistsException;

/** The template's secrets in a Secrets Manager that runs in another process. */
public final class SecretsElsewhere {

  private final SecretsManagerClient client;

  public SecretsElsewhere(SecretsManagerClient client) {
    this.client = client;
  }

  /** Creates the secrets that do not exist yet. */
  public void create(List<SecretDefinition> secrets) {
    for (SecretDefinition secret : secrets) {
      try {
        client.createSecret(it -> it.name(secret.name()).secretString(secret.text().get()));
      } catch (ResourceExistsException e) {
        // It keeps its value: earlier tokens are signed with it.
      }
    }
  }

  /** Deletes the secrets without a recovery window. */
  public void delete(List<SecretDefinition> secrets) {
    for (SecretDefinition secret : secrets) {
      client.deleteSecret(it -> it.secretId(secret.name()).forceDeleteWithoutRecovery(true));
    }
  }
}
