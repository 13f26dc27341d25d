package dev.connectorevents.secretsmanager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.emulator.Endpoint;
import dev.connectorevents.emulator.Stores;
import dev.connectorevents.token.SigningKeyRotation;
import dev.connectorevents.token.SigningKeyRotationTest;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;

class SecretRotationTest extends SigningKeyRotationTest {

  @AutoClose
  private final Stores stores = Endpoint.stores(Path.of("src/test/resources/secret-template.yaml"));

  @AutoClose private final SecretsManagerClient client = stores.settings().secretsManagerClient();

  private final SecretRotation rotation = new SecretRotation(client, stores.name("Key"));

  @Override
  protected SigningKeyRotation rotation() {
    return rotation;
  }

  @Test
  void a_function_without_a_schedule_may_be_tried() {
    assertThat(rotation.state().enabled()).isTrue();
  }
}
