package dev.connectorevents.emulator.secretsmanager;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.connectorevents.emulator.function.Invocation;
import dev.connectorevents.emulator.template.RotationDefinition;
import dev.connectorevents.emulator.template.SecretDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;
import software.amazon.awssdk.services.secretsmanager.model.InvalidRequestException;
import software.amazon.awssdk.services.secretsmanager.model.PutSecretValueResponse;
import software.amazon.awssdk.services.secretsmanager.model.ResourceNotFoundException;
import software.amazon.awssdk.services.secretsmanager.model.RotateSecretResponse;

@SuppressWarnings("NullAway.Init")
class SecretsManagerStandInTest {
  private static final String ARN = "arn:aws:secretsmanager:us-east-1:000000000000:secret:Key";
  private static final SecretDefinition KEY = new SecretDefinition("key", ARN, () -> "first");

  @TempDir private Path directory;
  private SecretsManagerStandIn standIn;
  private SecretsManagerClient client;

  @BeforeEach
  void start() throws IOException {
    standIn =
        SecretsManagerStandIn.start(0, Optional.of(directory.resolve("s.json")), List.of(KEY));
    client =
        SecretsManagerClient.builder()
            .endpointOverride(standIn.endpoint())
            .region(Region.US_EAST_1)
            .credentialsProvider(AnonymousCredentialsProvider.create())
            .httpClient(UrlConnectionHttpClient.create())
            .build();
  }

  @AfterEach
  void stop() {
    client.close();
    standIn.close();
  }

  @Test
  void a_secret_without_a_rotation_schedule_cannot_be_rotated() {
    assertThat(client.describeSecret(r -> r.secretId("key")).rotationEnabled()).isNull();
    assertThatExceptionOfType(InvalidRequestException.class)
        .isThrownBy(() -> client.rotateSecret(r -> r.secretId("key")))
        .withMessageContaining("No Lambda rotation function ARN");
  }

  @Test
  void a_failed_rotation_continues_with_its_version() {
    List<String> events = new ArrayList<>();
    standIn.enableRotation(
        List.of(new RotationDefinition(ARN, "function")),
        (function, event) -> {
          events.add(new String(event, UTF_8));
          return events.size() == 2
              ? Invocation.Failed.of("Broken", "it broke")
              : new Invocation.Answered(new byte[0]);
        });
    String old = current();

    assertThatExceptionOfType(InvalidRequestException.class)
        .isThrownBy(() -> client.rotateSecret(r -> r.secretId("key")))
        .withMessageContaining("The rotation failed at setSecret: Broken: it broke");
    RotateSecretResponse taken = client.rotateSecret(r -> r.secretId("key"));

    assertThat(events).hasSize(6).allMatch(event -> event.contains(taken.versionId()));
    assertThat(current()).isEqualTo(old);
    assertThatExceptionOfType(ResourceNotFoundException.class)
        .isThrownBy(() -> client.getSecretValue(r -> r.secretId("key").versionStage("AWSPENDING")));
  }

  @Test
  void secrets_survive_a_restart_in_a_file_that_only_their_owner_can_read() throws IOException {
    PutSecretValueResponse put =
        client.putSecretValue(r -> r.secretId("key").secretString("second"));
    Path file = directory.resolve("s.json");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    stop();
    start();
    assertThat(current()).isEqualTo(put.versionId());
    assertThat(client.listSecrets().secretList()).hasSize(1);
  }

  private String current() {
    return client.getSecretValue(r -> r.secretId("key")).versionId();
  }
}
