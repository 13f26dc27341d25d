package dev.connectorevents.emulator.secretsmanager;

import dev.connectorevents.emulator.template.SecretDefinition;
import java.util.List;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;
import software.amazon.awssdk.services.secretsmanager.model.ResourceExistsException;

/** The template's secrets in a Secrets Manager that runs in another process. */
public record SecretsElsewhere(SecretsManagerClient client) {

  /** Creates what is not there yet. */
  public void create(List<SecretDefinition> secrets) {
    for (var secret : secrets) {
      try {
        var text = Secrets.text(secret.content());
        client.createSecret(request -> request.name(secret.name()).secretString(text));
      } catch (ResourceExistsException e) {
        // It keeps its value, which the tokens of before are signed with.
      }
    }
  }

  /** Deletes them at once, with no time to think better of it. */
  public void delete(List<SecretDefinition> secrets) {
    for (var secret : secrets) {
      client.deleteSecret(
          request -> request.secretId(secret.name()).forceDeleteWithoutRecovery(true));
    }
  }
}
