package dev.connectorevents.acceptance.template;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Tables outlive the stack if nothing else can restore their data. Their backups last for {@code
 * BackupDays}.
 */
class KeptDataTest extends TemplateRules {

  /**
   * The table that is deleted with the stack. It holds counts of failed logins for 15 minutes, and
   * the sources of logins for 30 days.
   */
  private static final String DISPOSABLE = "LoginAttemptsTable";

  /** The settings, by JSON Pointer, that every table but {@link #DISPOSABLE} must have. */
  private static final Map<String, String> PROTECTION =
      Map.of(
          "/DeletionPolicy", "Retain",
          "/UpdateReplacePolicy", "Retain",
          "/Properties/DeletionProtectionEnabled", "true",
          "/Properties/PointInTimeRecoverySpecification/PointInTimeRecoveryEnabled", "true",
          "/Properties/PointInTimeRecoverySpecification/RecoveryPeriodInDays/Ref", "BackupDays");

  @Override
  Stream<TemplateRule> rules() {
    return Stream.of(
        new TemplateRule(
            "tables outlive the stack and are backed up",
            KeptDataTest::tablesOutliveTheStackAndAreBackedUp,
            new Mistake(
                "ErasuresTable",
                "DeletionPolicy: Retain",
                "DeletionPolicy: Delete",
                "/DeletionPolicy of ErasuresTable"),
            new Mistake(
                "EventsTable",
                "RecoveryPeriodInDays: !Ref BackupDays",
                "RecoveryPeriodInDays: 7",
                "RecoveryPeriodInDays/Ref of EventsTable"),
            new Mistake(
                "PasswordHashesTable",
                "UpdateReplacePolicy: Retain",
                "UpdateReplacePolicy: Delete",
                "/UpdateReplacePolicy of PasswordHashesTable"),
            new Mistake(
                "UsersTable",
                "DeletionProtectionEnabled: true",
                "DeletionProtectionEnabled: false",
                "DeletionProtectionEnabled of UsersTable")),
        new TemplateRule(
            "the signing key is rotated as often as static tokens reckon with",
            KeptDataTest::theSigningKeyIsRotatedByTheParameter,
            new Mistake(
                "SigningKeyRotation",
                "AutomaticallyAfterDays: !Ref KeyRotationDays",
                "AutomaticallyAfterDays: 7",
                "days between two rotations")),
        new TemplateRule(
            "defaults are those that the pages name",
            KeptDataTest::defaultsAreThoseOfThePages,
            new Mistake("BackupDays", "Default: 35", "Default: 7", "BackupDays")));
  }

  private static void tablesOutliveTheStackAndAreBackedUp(TemplateText template) {
    TreeSet<String> kept = new TreeSet<>(template.resources("AWS::DynamoDB::Table").keySet());
    kept.remove(DISPOSABLE);
    assertThat(kept).contains("ErasuresTable", "EventsTable", "PasswordHashesTable", "UsersTable");
    for (String id : kept) {
      JsonNode table = template.root().path("Resources").path(id);
      PROTECTION.forEach((place, value) ->
          assertThat(table.at(place).asText()).as("%s of %s", place, id).isEqualTo(value));
    }
  }

  private static void theSigningKeyIsRotatedByTheParameter(TemplateText template) {
    assertThat(
            template.resources("AWS::SecretsManager::RotationSchedule").values().stream()
                .map(schedule -> schedule.at("/RotationRules/AutomaticallyAfterDays/Ref").asText()))
        .as("days between two rotations")
        .containsExactly("KeyRotationDays");
  }

  private static void defaultsAreThoseOfThePages(TemplateText template) {
    Map.of(
            "BackupDays", 35,
            "IndexLagSeconds", 10,
            "LoginsPerSecond", 50,
            "MissingPerSecond", 100,
            "SessionLifetimeDays", 7,
            "TokenLifetimeSeconds", 3600)
        .forEach((parameter, value) ->
            assertThat(template.root().path("Parameters").path(parameter).path("Default").asInt())
                .as(parameter)
                .isEqualTo(value));
  }
}
