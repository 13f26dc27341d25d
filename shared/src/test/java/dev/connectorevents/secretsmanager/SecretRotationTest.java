package dev.connectorevents.secretsmanager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.emulator.Endpoint;
import dev.connectorevents.emulator.Stores;
import dev.connectorevents.token.RotationState;
import dev.connectorevents.token.SigningKey;
import dev.connectorevents.token.SigningKeyRotation;
import dev.connectorevents.token.SigningKeyRotationTest;
import dev.connectorevents.token.SigningKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;

class SecretRotationTest extends SigningKeyRotationTest {

  @TempDir private Path directory;
  @AutoClose private Stores stores;
  @AutoClose private SecretsManagerClient client;
  private SecretRotation rotation;

  @BeforeEach
  void createTheSecret() throws IOException {
    Path template = directory.resolve("template.yaml");
    Files.writeString(template, "Resources: {Key: {Type: AWS::SecretsManager::Secret}}");
    stores = Endpoint.stores(template);
    client = stores.settings().secretsManagerClient();
    rotation = new SecretRotation(client, stores.name("Key"));
  }

  @Override
  protected SigningKeyRotation rotation() {
    return rotation;
  }

  @Test
  void a_function_without_a_schedule_may_be_tried() {
    assertThat(rotation.state().enabled()).isTrue();
  }

  @Test
  void a_rotation_moves_the_labels_from_key_to_key() {
    SigningKeys keys = new SecretSigningKeys(client, stores.name("Key"));
    SigningKey first = keys.current();
    String version = UUID.randomUUID().toString();
    assertThat(rotation.state())
        .isEqualTo(new RotationState(true, Optional.of(first.id()), Optional.empty()));

    rotation.store(version, "the second key");
    SigningKey second = keys.pending().orElseThrow();
    assertThat(rotation.pending(version)).hasValue(second);

    rotation.makeCurrent(version, first.id());
    assertThat(keys.current()).isEqualTo(second);
    assertThat(keys.previous()).hasValue(first);
  }
}
