package dev.connectorevents.acceptance.journeys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.acceptance.service.WorldClock;
import dev.connectorevents.emulator.Endpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;
import software.amazon.awssdk.services.secretsmanager.model.DescribeSecretResponse;
import software.amazon.awssdk.services.secretsmanager.model.InvalidRequestException;

/** An operator rotates the signing key while connectors send requests. */
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
  @Tag("nightly")
  @Promise("so one rotation ends no session.")
  void two_rotations_under_load_refuse_no_live_token() throws Exception {
    String first = service.client().token();
    RotationLoad load = new RotationLoad(service, first);
    List<String> kids = new ArrayList<>(List.of(RotationLoad.kid(first)));
    List<Future<?>> workers = new ArrayList<>();
    // The load is closed first: otherwise the executor would wait forever for the load's loops.
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
        load) {
      workers.add(executor.submit(load::keepPosting));
      workers.add(executor.submit(load::keepReadingMe));
      workers.add(executor.submit(load::keepRefreshing));
      workers.add(executor.submit(load::keepForging));
      for (int rotation = 1; rotation <= 2; rotation++) {
        kids.add(rotate());
        load.waitForTokenOf(kids.getLast());
        if (rotation == 1) {
          // Scheduled rotations are days apart: tokens of the first key expire before the
          // second rotation.
          load.keepOnlyTokensOf(kids.getLast());
        }
      }
      load.waitForMoreRequestsThan(500);
    }
    for (Future<?> worker : workers) {
      worker.get();
    }
    System.out.printf(
        "requests %d, forged %d, rotations %d, failures %d%n",
        load.requestCount(), load.forgeryCount(), kids.size() - 1, load.failures().size());

    assertThat(load.failures()).isEmpty();
    assertThat(load.requestCount()).isGreaterThan(500);
    assertThat(kids).doesNotHaveDuplicates();
    for (String token : load.liveTokens()) {
      assertThat(load.me(token).status()).isEqualTo(200);
    }
    assertThat(isRefusedInTime(first, load)).isTrue();
  }

  /**
   * Whether the service refuses the token within some seconds. The forged tokens have an unknown
   * key id. This makes every warm instance read the keys again.
   */
  private boolean isRefusedInTime(String token, RotationLoad load) {
    for (int i = 0; i < 60; i++) {
      for (int instance = 0; instance < 3; instance++) {
        load.me(RotationLoad.FORGED);
      }
      if (Stream.of(token, token).allMatch(each -> load.me(each).code().equals("invalid_token"))) {
        return true;
      }
      service.clock().pass(Duration.ofSeconds(1));
    }
    return false;
  }

  @Test
  @DisabledIfSystemProperty(named = Endpoint.PROPERTY, matches = ".*", disabledReason = BY_STAND_IN)
  @Promise("Secrets Manager calls it every `KeyRotationDays` (30)")
  void the_secret_says_that_it_is_rotated_and_by_what() {
    DescribeSecretResponse before = secrets.describeSecret(get -> get.secretId(secret));
    assertThat(before.rotationEnabled()).isTrue();
    assertThat(before.rotationLambdaARN()).endsWith(":function:RotateSigningKeyFunction");

    String version = rotate();

    DescribeSecretResponse after = secrets.describeSecret(get -> get.secretId(secret));
    assertThat(after.versionIdsToStages()).hasSize(2).containsKey(version);
    assertThat(after.versionIdsToStages().get(version)).contains("AWSCURRENT");
    assertThat(after.versionIdsToStages()).containsValue(List.of("AWSPREVIOUS"));
    assertThat(secrets.getSecretValue(get -> get.secretId(secret)).secretString())
        .matches("[A-Za-z0-9]{64}");
  }

  @Test
  @DisabledIfSystemProperty(named = Endpoint.PROPERTY, matches = ".*", disabledReason = BY_STAND_IN)
  void a_rotation_that_cannot_end_says_where_and_changes_nothing() {
    String before = secrets.getSecretValue(get -> get.secretId(secret)).versionId();
    secrets.putSecretValue(
        put -> put.secretId(secret).secretString("weak").versionStages("AWSPENDING"));

    assertThatExceptionOfType(InvalidRequestException.class)
        .isThrownBy(this::rotate)
        .withMessageContainingAll("testSecret", "not fit to sign");

    assertThat(secrets.getSecretValue(get -> get.secretId(secret)).versionId()).isEqualTo(before);
  }

  @Test
  void the_event_file_is_a_step_and_is_refused_for_another_secret() throws IOException {
    String event = Files.readString(Path.of("../events/rotate-signing-key.json"));

    Answer answer =
        service.client().post("/2015-03-31/functions/RotateSigningKeyFunction/invocations", event);

    assertThat(answer.header("x-amz-function-error")).isEqualTo("Unhandled");
    assertThat(answer.body().get("errorMessage").textValue())
        .isEqualTo("the secret is not the signing key's");
  }

  private String rotate() {
    return service.operator().rotate(secrets);
  }
}
