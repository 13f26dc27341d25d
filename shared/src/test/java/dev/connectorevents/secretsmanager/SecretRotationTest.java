package dev.connectorevents.secretsmanager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.emulator.Endpoint;
import dev.connectorevents.emulator.Stores;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;

class SecretRotationTest {

  @Test
  void a_function_without_a_schedule_may_be_tried(@TempDir Path directory) throws Exception {
    Path template = directory.resolve("template.yaml");
    Files.writeString(template, "Resources: {Key: {Type: AWS::SecretsManager::Secret}}");
    try (Stores stores = Endpoint.stores(template);
        SecretsManagerClient secrets = SecretsManagerClient.create()) {
      assertThat(new SecretRotation(secrets, stores.name("Key")).state().enabled()).isTrue();
    }
  }
}
