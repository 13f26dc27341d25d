package dev.connectorevents.acceptance.runbooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;

/**
 * Each test plants a mistake in a service of its own. {@code operate/check} must name this mistake.
 */
@Tag("nightly")
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "needs bash")
@SuppressWarnings("NullAway.Init")
class CheckFaultsTest {

  private static final String[] STACK = {"--stack", "connector-events-prod", "--yes"};

  @TempDir private Path folder;
  @AutoClose private CheckedService service;

  @AfterEach
  void nothing_is_left() {
    service.assertThatNothingIsLeft();
  }

  @Test
  void a_function_without_its_right_to_a_table_is_named() throws Exception {
    startWithoutTheRightToFindMissingKeys();

    CheckRun run = service.check().run(STACK);

    assertThat(run.failures())
        .containsExactly(
            entry(
                "find missing keys",
                """
                503 temporarily_unavailable, not 200
                FindMissingFunction has no right to dynamodb:BatchGetItem on %s.
                Compare its Policies in template.yaml with its role, and deploy the template again.
                docs/operating.md#read-the-log\
                """
                    .formatted("arn:aws:dynamodb:us-east-1:000000000000:table/EventsTable")));
  }

  @Test
  void without_the_log_a_right_that_is_missing_is_only_probable() throws Exception {
    startWithoutTheRightToFindMissingKeys();

    CheckRun local = service.check().run(service.port());

    assertThat(local.failures())
        .containsOnlyKeys("find missing keys")
        .extractingByKey("find missing keys")
        .asString()
        .contains("FindMissingFunction", "Probably its role lacks a right", "/_inspector has it");
  }

  private void startWithoutTheRightToFindMissingKeys() throws IOException, InterruptedException {
    String right =
        """
        Action: dynamodb:BatchGetItem
                      Resource: !GetAtt EventsTable.Arn
                      Condition:\
        """;
    service = CheckedService.start(folder, right, right.replace("BatchGetItem", "Scan"));
  }

  @Test
  void a_missing_index_is_named() throws Exception {
    String index =
        """
                - IndexName: by_time # has every event and every tombstone
                  KeySchema:
                    - { AttributeName: lane, KeyType: HASH }
                    - { AttributeName: created_at, KeyType: RANGE }
                  Projection: { ProjectionType: INCLUDE, NonKeyAttributes: [event_type, user_id] }
                  # A reader is throttled before it can take from writers what a partition can do.
                  OnDemandThroughput: { MaxReadRequestUnits: !Ref IndexReadUnits }
        """
            .indent(0);
    String attribute = "        - { AttributeName: lane, AttributeType: S }\n";
    service = CheckedService.start(folder, index, "", attribute, "");

    CheckRun run = service.check().run(STACK);

    assertThat(run.failures())
        .containsExactly(
            entry(
                "list",
                """
                500 internal_error, not 200
                EventsTable has no index by_time.
                Create it again, with the keys of template.yaml: aws dynamodb update-table
                docs/operating.md#check-a-stack\
                """));
  }

  @Test
  void a_secret_without_its_previous_version_is_named() throws Exception {
    service = CheckedService.start(folder);
    service.before("MeFunction", this::replaceKey);

    CheckRun run = service.check().run(STACK);

    assertThat(run.failures())
        .extractingByKey("me")
        .asString()
        .startsWith(
            """
            401 invalid_token, not 200
            The secret has no AWSPREVIOUS, and the key of this token is no longer AWSCURRENT.\
             Put the label back:
            aws secretsmanager update-secret-version-stage --secret-id SigningKeySecret\
             --version-stage AWSPREVIOUS --move-to-version-id\
            """);
  }

  /** Replaces the signing key, and removes the label {@code AWSPREVIOUS} from the old key. */
  private void replaceKey() {
    try (SecretsManagerClient secrets = service.stores().settings().secretsManagerClient()) {
      String id = service.stores().name("SigningKeySecret");
      String key = "a new key ".repeat(8);
      secrets.putSecretValue(put -> put.secretId(id).secretString(key));
      String previous =
          secrets.getSecretValue(get -> get.secretId(id).versionStage("AWSPREVIOUS")).versionId();
      secrets.updateSecretVersionStage(
          update -> update.secretId(id).versionStage("AWSPREVIOUS").removeFromVersionId(previous));
    }
  }

  @Test
  void a_clock_of_the_service_that_is_wrong_is_named() throws Exception {
    service = CheckedService.start(folder);
    service.setAhead(Duration.ofMinutes(-10));

    CheckRun run = service.check().run(service.port());

    assertThat(run.failures())
        .containsOnlyKeys("compare clocks")
        .extractingByKey("compare clocks")
        .asString()
        .matches("(?s)the clock of CreateEventFunction is (599|600) s behind API Gateway's\n.*");
  }
}
