package dev.connectorevents.acceptance.rights;

import static dev.connectorevents.acceptance.template.Mistake.SHARED_POLICY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.connectorevents.acceptance.service.CapturedLog;
import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.acceptance.service.UsedRights;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.acceptance.template.Mistake;
import dev.connectorevents.emulator.template.FunctionDefinition;
import dev.connectorevents.emulator.template.Right;
import dev.connectorevents.emulator.template.Template;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.secretsmanager.model.InvalidRequestException;

/** Each function's role allows what the function does, and nothing else. */
@SuppressWarnings("NullAway.Init")
class RightsTest {

  /**
   * A setup whose bcrypt cost differs from that of the user's hash, so that a login replaces the
   * hash.
   */
  private static Setup rehashing() {
    return new Setup().inProcess().parameters(Map.of("BcryptCost", "5"));
  }

  private static final String USERS = "arn:aws:dynamodb:us-east-1:000000000000:table/UsersTable";
  private static final String HASHES =
      "arn:aws:dynamodb:us-east-1:000000000000:table/PasswordHashesTable";
  private static final String ATTEMPTS =
      "arn:aws:dynamodb:us-east-1:000000000000:table/LoginAttemptsTable";
  private static final String EVENTS = "arn:aws:dynamodb:us-east-1:000000000000:table/EventsTable";
  private static final String ERASURES =
      "arn:aws:dynamodb:us-east-1:000000000000:table/ErasuresTable";
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
  void every_function_has_the_rights_that_it_uses_and_no_other() throws IOException {
    assertThat(mistakes(World.TEMPLATE)).isEmpty();
  }

  static List<Mistake> tooWide() {
    return List.of(
        new Mistake(
            "LoginFunction",
            "dynamodb:UpdateItem]",
            "dynamodb:UpdateItem, dynamodb:DeleteItem]",
            "LoginFunction uses no dynamodb:DeleteItem on " + HASHES),
        new Mistake(
            "CreateEventFunction",
            "Resource: !GetAtt EventsTable.Arn",
            "Resource: [!GetAtt EventsTable.Arn, !GetAtt UsersTable.Arn]",
            "CreateEventFunction uses no dynamodb:PutItem on " + USERS),
        new Mistake(
            "RotateSigningKeyFunction",
            "- secretsmanager:PutSecretValue",
            "- secretsmanager:PutSecretValue\n                - secretsmanager:DeleteSecret",
            "RotateSigningKeyFunction uses no secretsmanager:DeleteSecret on " + SECRET),
        new Mistake(
            SHARED_POLICY,
            "Resource: !GetAtt UsersTable.Arn",
            "Resource: \"*\"",
            "MeFunction has a wildcard: dynamodb:GetItem on *"),
        new Mistake(
            SHARED_POLICY,
            "Resource: !GetAtt UsersTable.Arn",
            "Resource: [!GetAtt UsersTable.Arn, !GetAtt PasswordHashesTable.Arn]",
            "MeFunction uses no dynamodb:GetItem on " + HASHES),
        new Mistake(
            "ManageUsersFunction",
            "Action: dynamodb:Scan\n              Resource: !GetAtt UsersTable.Arn",
            "Action: dynamodb:Scan\n              Resource: !GetAtt PasswordHashesTable.Arn",
            "ManageUsersFunction uses no dynamodb:Scan on " + HASHES),
        new Mistake(
            SHARED_POLICY,
            "Resource: !GetAtt UsersTable.Arn",
            "Resource: !Sub ${UsersTable.Arn}*",
            "RefreshFunction has a wildcard: dynamodb:GetItem on " + USERS + "*"),
        new Mistake(
            "ManageUsersFunction",
            "[dynamodb:PutItem, dynamodb:DeleteItem]",
            "dynamodb:*",
            "ManageUsersFunction has a wildcard: dynamodb:* on " + USERS),
        new Mistake(
            "EraseEventsFunction",
            "Resource: !GetAtt ErasuresTable.Arn",
            "Resource: [!GetAtt ErasuresTable.Arn, !GetAtt UsersTable.Arn]",
            "EraseEventsFunction uses no dynamodb:Scan on " + USERS));
  }

  @ParameterizedTest
  @MethodSource("tooWide")
  void a_right_too_wide_is_found(Mistake mistake) throws IOException {
    assertThat(mistakes(mistake.plantedIn(directory))).contains(mistake.message());
  }

  static List<Mistake> missing() {
    return List.of(
        new Mistake(
            "LoginFunction",
            "[!GetAtt PasswordHashesTable.Arn, ",
            "[!GetAtt UsersTable.Arn, ",
            "dynamodb:GetItem on resource: " + HASHES),
        new Mistake(
            "LoginFunction",
            "dynamodb:UpdateItem]",
            "dynamodb:PutItem]",
            "dynamodb:UpdateItem on resource: " + ATTEMPTS),
        new Mistake(
            "LoginFunction",
            ", !GetAtt LoginAttemptsTable.Arn]",
            "]",
            "dynamodb:GetItem on resource: " + ATTEMPTS),
        new Mistake(
            "CreateEventFunction",
            "dynamodb:PutItem",
            "dynamodb:TransactWriteItems",
            "dynamodb:PutItem on resource: " + EVENTS),
        new Mistake(
            "CreateBatchFunction",
            """
            - dynamodb:PutItem # also what each item of a transaction needs
                            - dynamodb:PartiQLInsert\
            """,
            "- dynamodb:PartiQLUpdate",
            "dynamodb:PartiQLInsert on resource: " + EVENTS),
        new Mistake(
            "ReadEventFunction",
            "dynamodb:GetItem, ",
            "dynamodb:Query, ",
            "dynamodb:GetItem on resource: " + EVENTS),
        new Mistake(
            "ListEventsFunction",
            "Action: dynamodb:Query",
            "Action: dynamodb:Scan",
            "dynamodb:Query on resource: " + EVENTS + "/index/by_"),
        new Mistake(
            "ManageUsersFunction",
            "[dynamodb:PutItem, dynamodb:DeleteItem]",
            "dynamodb:DeleteItem",
            "dynamodb:PutItem on resource: " + USERS),
        new Mistake(
            "ManageUsersFunction",
            "[!GetAtt UsersTable.Arn, !GetAtt PasswordHashesTable.Arn]",
            "!GetAtt UsersTable.Arn",
            "dynamodb:PutItem on resource: " + HASHES),
        new Mistake(
            "EraseEventsFunction",
            "Resource: !GetAtt ErasuresTable.Arn",
            "Resource: !GetAtt EventsTable.Arn",
            "dynamodb:PutItem on resource: " + ERASURES));
  }

  @ParameterizedTest
  @MethodSource("missing")
  void a_missing_right_is_refused_as_on_aws_and_named_in_the_log(Mistake mistake)
      throws IOException {
    assertRefused(mistake.where(), mistake);
  }

  /** Mistakes in the policy that nearly all functions share. */
  static List<Mistake> missingInTheSharedPolicy() {
    return List.of(
        new Mistake(
            SHARED_POLICY,
            "Resource: !GetAtt UsersTable.Arn",
            "Resource: !GetAtt EventsTable.Arn",
            "dynamodb:GetItem on resource: " + USERS),
        new Mistake(
            SHARED_POLICY,
            "secretsmanager:GetSecretValue",
            "secretsmanager:DescribeSecret",
            "secretsmanager:GetSecretValue on resource: " + SECRET),
        new Mistake(
            SHARED_POLICY,
            "Resource: !Ref SigningKeySecret",
            "Resource: !Ref EventsTable",
            "secretsmanager:GetSecretValue on resource: " + SECRET));
  }

  /** Login is among its functions, and the only one that needs no token. */
  @ParameterizedTest
  @MethodSource("missingInTheSharedPolicy")
  void a_right_that_the_shared_policy_lacks_is_refused_to_its_functions(Mistake mistake)
      throws IOException {
    assertRefused("LoginFunction", mistake);
  }

  private void assertRefused(String function, Mistake mistake) throws IOException {
    Path template = mistake.plantedIn(directory);
    CapturedLog log = new CapturedLog();
    try (World service = World.start(rehashing().template(template).logged(log))) {
      assertThat(new EveryUse(service).statuses(function)).containsOnly(503);
      assertThat(log.text())
          .contains(function + " is not authorized to perform: " + mistake.message());
    }
  }

  @Test
  void a_rotation_without_a_right_fails_and_says_why() throws IOException {
    Path template =
        new Mistake(
                "RotateSigningKeyFunction",
                "- secretsmanager:PutSecretValue",
                "- secretsmanager:DeleteSecret",
                "")
            .plantedIn(directory);
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
      Set<String> grants = calls(function.rights());
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
