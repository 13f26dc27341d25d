package dev.connectorevents.acceptance.template;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.Promise;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tables outlive the stack if nothing else can restore their data. Their backups last for {@code
 * BackupDays}.
 */
class KeptDataTest {

  private final TemplateText template = TemplateText.ofTheService();

  /** Has no backups: old positions would name other events. */
  private static final String MADE_ANEW = "FeedTable";

  /**
   * The table that is deleted with the stack. It holds counts of failed logins for 15 minutes, and
   * the sources of logins for 30 days.
   */
  private static final String DISPOSABLE = "LoginAttemptsTable";

  /** A parameter, and the default that a page gives in brackets after its name. */
  private static final Pattern DEFAULT =
      Pattern.compile("`(\\w+)`\\*{0,2} \\((?:[^)]*by default )?([\\d,]+)\\)");

  /** The settings, by JSON Pointer, that every table but {@link #DISPOSABLE} must have. */
  private static final Map<String, String> PROTECTION =
      Map.of(
          "/DeletionPolicy", "Retain",
          "/UpdateReplacePolicy", "Retain",
          "/Properties/DeletionProtectionEnabled", "true",
          "/Properties/PointInTimeRecoverySpecification/PointInTimeRecoveryEnabled", "true",
          "/Properties/PointInTimeRecoverySpecification/RecoveryPeriodInDays/Ref", "BackupDays");

  private static boolean isBackUp(String place) {
    return place.contains("PointInTimeRecovery");
  }

  @Test
  @Promise({
    "Tables are protected against deletion and stay when the stack is deleted.",
    "A table can be restored to",
    "`FeedTable` and `LoginAttemptsTable` have no backups."
  })
  void tables_outlive_the_stack_and_are_backed_up() {
    TreeSet<String> kept = new TreeSet<>(template.resources("AWS::DynamoDB::Table").keySet());
    kept.remove(DISPOSABLE);
    assertThat(kept)
        .contains("ErasuresTable", "EventsTable", "FeedTable", "PasswordHashesTable", "UsersTable");
    for (String id : kept) {
      JsonNode table = template.root().path("Resources").path(id);
      PROTECTION.forEach((place, value) ->
          assertThat(table.at(place).asText())
              .as("%s of %s", place, id)
              .isEqualTo(isBackUp(place) && id.equals(MADE_ANEW) ? "" : value));
    }
    assertThat(template.root().at("/Resources/" + DISPOSABLE + "/Properties").fieldNames())
        .toIterable()
        .isNotEmpty()
        .noneMatch(KeptDataTest::isBackUp);
  }

  @Test
  @Promise("A token with a longer life could outlive its signing key.")
  void the_signing_key_is_rotated_as_often_as_static_tokens_reckon_with() {
    assertThat(
            template.resources("AWS::SecretsManager::RotationSchedule").values().stream()
                .map(schedule -> schedule.at("/RotationRules/AutomaticallyAfterDays/Ref").asText()))
        .as("days between two rotations")
        .containsExactly("KeyRotationDays");
  }

  @Test
  @Promise("(1 to 35, by default 35).")
  void a_default_is_the_one_that_the_pages_name() throws IOException {
    JsonNode parameters = template.root().path("Parameters");
    Set<String> named = new TreeSet<>();
    try (Stream<Path> pages = Files.walk(Path.of(".."), 2)) {
      for (Path page : pages.filter(each -> each.toString().endsWith(".md")).toList()) {
        for (MatchResult each : DEFAULT.matcher(Files.readString(page)).results().toList()) {
          if (parameters.has(each.group(1))) {
            named.add(each.group(1));
            assertThat(each.group(2).replace(",", ""))
                .as("%s in %s", each.group(), page)
                .isEqualTo(parameters.path(each.group(1)).path("Default").asText());
          }
        }
      }
    }
    assertThat(named).contains("BackupDays", "EventsPerSecond", "KeyRotationDays");
  }
}
