package dev.connectorevents.acceptance.rights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.CapturedLog;
import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.acceptance.service.WorldClock;
import dev.connectorevents.emulator.template.Right;
import dev.connectorevents.emulator.template.Template;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;
import software.amazon.awssdk.services.secretsmanager.model.InvalidRequestException;

/** What operators' functions may not do, and a missing right. {@code MatrixTest} compares all. */
@SuppressWarnings("NullAway.Init")
class RightsTest {

  private static final String ATTEMPTS =
      "arn:aws:dynamodb:us-east-1:000000000000:table/LoginAttemptsTable";
  private static final String EVENTS = "arn:aws:dynamodb:us-east-1:000000000000:table/EventsTable";
  private static final String SECRET =
      "arn:aws:secretsmanager:us-east-1:000000000000:secret:SigningKeySecret";

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"FindEventsFunction", "EraseEventsFunction", "RestoreEventsFunction"})
  @Promise("have no right on the key, users or hashes.")
  void an_operators_function_that_parses_payloads_reaches_tables_of_events_alone(String function)
      throws IOException {
    assertThat(rights(function))
        .isNotEmpty()
        .allMatch(right -> right.resource().matches(".*:table/(Events|Feed|Erasures)Table.*"));
  }

  @Test
  @Promise("`FindEventsFunction` only reads, and `RestoreEventsFunction` deletes nothing.")
  void finding_has_no_right_to_write_and_restoring_none_to_delete() throws IOException {
    assertThat(rights("FindEventsFunction").map(Right::action))
        .isSubsetOf("dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query", "dynamodb:Scan");
    assertThat(rights("RestoreEventsFunction").map(Right::action))
        .contains("dynamodb:PutItem")
        .noneMatch(action -> action.contains("Delete") || action.contains("*"));
  }

  private static Stream<Right> rights(String function) throws IOException {
    return Template.read(World.TEMPLATE, Map.of()).functions().stream()
        .filter(each -> each.id().equals(function))
        .flatMap(each -> each.rights().stream());
  }

  /** A text of the template, and one with another right. */
  private record Change(String where, String right, String wrong) {

    /** Writes a copy of the template with the change into the directory, and returns the copy. */
    Path in(Path directory) throws IOException {
      String template = Files.readString(World.TEMPLATE);
      int place = template.indexOf(right, template.indexOf("\n  " + where + ":\n"));
      assertThat(place).isPositive();
      return Files.writeString(
          directory.resolve("template.yaml"),
          template.substring(0, place) + wrong + template.substring(place + right.length()));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "LoginFunction | /api/auth/login | dynamodb:UpdateItem] | dynamodb:PutItem] | dynamodb:UpdateItem on resource: "
            + ATTEMPTS,
        "ReadEventFunction | /api/webhook-events/019aa1f0-2c3b-7d4e-8f50-a1b2c3d4e5f6 | dynamodb:GetItem, | dynamodb:Query, | dynamodb:GetItem on resource: "
            + EVENTS,
        "ListEventsFunction | /api/webhook-events?brand_id=7 | Action: dynamodb:Query | Action: dynamodb:Scan | dynamodb:Query on resource: "
            + EVENTS
            + "/index/by_",
      })
  void a_missing_right_is_refused_as_on_aws_and_named_in_the_log(
      String function, String path, String right, String wrong, String message) throws IOException {
    Path template = new Change(function, right, wrong).in(directory);
    CapturedLog log = new CapturedLog();
    try (World service = World.start(new Setup().inProcess().template(template).logged(log))) {
      Answer answer =
          path.equals("/api/auth/login")
              ? service.client().login(World.EMAIL, World.PASSWORD)
              : service.client().get(path, service.operator().consumerToken());
      assertThat(answer.status()).isEqualTo(503);
      assertThat(log.text()).contains(function + " is not authorized to perform: " + message);
    }
  }

  @Test
  void a_rotation_without_a_right_fails_and_says_why() throws IOException {
    Path template =
        new Change(
                "RotateSigningKeyFunction",
                "- secretsmanager:PutSecretValue",
                "- secretsmanager:DeleteSecret")
            .in(directory);
    CapturedLog log = new CapturedLog();
    Setup setup = new Setup().inProcess().clock(WorldClock.standing()); // a rotation waits
    try (World service = World.start(setup.template(template).logged(log));
        SecretsManagerClient secrets = service.settings().secretsManagerClient()) {
      assertThatExceptionOfType(InvalidRequestException.class)
          .isThrownBy(() -> secrets.rotateSecret(rotate -> rotate.secretId("SigningKeySecret")))
          .withMessageContaining("The rotation failed at createSecret");
      assertThat(log.text())
          .contains(
              "not authorized to perform: secretsmanager:PutSecretValue on resource: " + SECRET);
    }
  }
}
