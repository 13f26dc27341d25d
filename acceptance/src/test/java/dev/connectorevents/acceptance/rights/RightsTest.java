package dev.connectorevents.acceptance.rights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.service.CapturedLog;
import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.acceptance.service.UsedRights;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.acceptance.service.WorldClock;
import dev.connectorevents.emulator.template.FunctionDefinition;
import dev.connectorevents.emulator.template.Right;
import dev.connectorevents.emulator.template.Template;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.secretsmanager.model.InvalidRequestException;

/** Each function's role allows what the function does, and nothing else. */
@SuppressWarnings("NullAway.Init")
class RightsTest {

  /**
   * A setup whose bcrypt cost differs from that of the user's hash, so that a login replaces the
   * hash.
   */
  private static Setup rehashing() {
    return new Setup()
        .inProcess()
        .clock(WorldClock.standing()) // a rotation waits
        .parameters(Map.of("BcryptCost", "5"));
  }

  private static final String ATTEMPTS =
      "arn:aws:dynamodb:us-east-1:000000000000:table/LoginAttemptsTable";
  private static final String EVENTS = "arn:aws:dynamodb:us-east-1:000000000000:table/EventsTable";
  private static final String SECRET =
      "arn:aws:secretsmanager:us-east-1:000000000000:secret:SigningKeySecret";

  private static Map<String, Set<Right>> used;

  @TempDir private Path directory;

  @BeforeAll
  static void use() throws IOException {
    try (World service = World.start(rehashing())) {
      new EveryUse(service).make();
      used =
          service.template().functions().stream()
              .collect(Collectors.toMap(FunctionDefinition::id, UsedRights::of));
    }
  }

  @Test
  @Promise("Only login reads password hashes, which have a table of their own.")
  void every_function_has_the_rights_that_it_uses_and_no_other() throws IOException {
    assertThat(mistakes(World.TEMPLATE)).isEmpty();
  }

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
        "LoginFunction | dynamodb:UpdateItem] | dynamodb:PutItem] | dynamodb:UpdateItem on resource: "
            + ATTEMPTS,
        "ReadEventFunction | dynamodb:GetItem, | dynamodb:Query, | dynamodb:GetItem on resource: "
            + EVENTS,
        "ListEventsFunction | Action: dynamodb:Query | Action: dynamodb:Scan | dynamodb:Query on resource: "
            + EVENTS
            + "/index/by_",
      })
  void a_missing_right_is_refused_as_on_aws_and_named_in_the_log(
      String function, String right, String wrong, String message) throws IOException {
    Path template = new Change(function, right, wrong).in(directory);
    CapturedLog log = new CapturedLog();
    try (World service = World.start(rehashing().template(template).logged(log))) {
      assertThat(new EveryUse(service).statuses(function)).containsOnly(503);
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
    try (World service = World.start(rehashing().template(template).logged(log))) {
      assertThatExceptionOfType(InvalidRequestException.class)
          .isThrownBy(new EveryUse(service)::rotate)
          .withMessageContaining("The rotation failed at createSecret");
      assertThat(log.text())
          .contains(
              "not authorized to perform: secretsmanager:PutSecretValue on resource: " + SECRET);
    }
  }

  private static List<String> mistakes(Path template) throws IOException {
    List<String> mistakes = new ArrayList<>();
    for (FunctionDefinition function : Template.read(template, Map.of()).functions()) {
      Set<String> uses = calls(used.getOrDefault(function.id(), Set.of()));
      Set<String> grants =
          calls(function.rights().stream().filter(right -> !right.isOnStream()).toList());
      for (String call : grants) {
        if (call.contains("*") || call.contains("?")) {
          mistakes.add(function.id() + " has a wildcard: " + call);
        } else if (!uses.contains(call)) {
          mistakes.add(function.id() + " uses no " + call);
        }
      }
      uses.stream()
          .filter(call -> !grants.contains(call))
          .forEach(call -> mistakes.add(function.id() + " lacks " + call));
    }
    return mistakes;
  }

  /** The actions, each with its resource. */
  private static Set<String> calls(Collection<Right> rights) {
    return rights.stream().map(Right::toString).collect(Collectors.toSet());
  }
}
