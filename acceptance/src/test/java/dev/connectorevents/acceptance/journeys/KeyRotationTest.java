package dev.connectorevents.acceptance.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.acceptance.service.WorldClock;
import dev.connectorevents.emulator.Endpoint;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;
import software.amazon.awssdk.services.secretsmanager.model.DescribeSecretResponse;

/** An operator rotates the signing key. */
class KeyRotationTest {

  private static final String BY_STAND_IN =
      "this Secrets Manager is another process and cannot call the functions";

  /** A rotation waits until each instance has forgotten the keys that it knew. */
  @AutoClose private final World service = World.start(new Setup().clock(WorldClock.standing()));

  @AutoClose
  private final SecretsManagerClient secrets =
      service
          .settings()
          .secretsManagerClient(client -> client.apiCallTimeout(Duration.ofSeconds(60)));

  private final String secret = service.name("SigningKeySecret");

  @Test
  @DisabledIfSystemProperty(named = Endpoint.PROPERTY, matches = ".*", disabledReason = BY_STAND_IN)
  @Promise("Secrets Manager rotates the key every `KeyRotationDays` (30)")
  void the_secret_says_that_it_is_rotated_and_by_what() {
    DescribeSecretResponse before = secrets.describeSecret(get -> get.secretId(secret));
    assertThat(before.rotationEnabled()).isTrue();
    assertThat(before.rotationLambdaARN()).endsWith(":function:RotateSigningKeyFunction");

    String version = service.operator().rotate(secrets);

    DescribeSecretResponse after = secrets.describeSecret(get -> get.secretId(secret));
    assertThat(after.versionIdsToStages()).hasSize(2).containsKey(version);
    assertThat(after.versionIdsToStages().get(version)).contains("AWSCURRENT");
    assertThat(after.versionIdsToStages()).containsValue(List.of("AWSPREVIOUS"));
    assertThat(secrets.getSecretValue(get -> get.secretId(secret)).secretString())
        .matches("[A-Za-z0-9]{64}");
  }
}
