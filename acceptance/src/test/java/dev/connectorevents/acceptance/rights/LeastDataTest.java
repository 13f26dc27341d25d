package dev.connectorevents.acceptance.rights;

import static dev.connectorevents.acceptance.template.Mistake.SHARED_POLICY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.acceptance.template.Mistake;
import dev.connectorevents.emulator.template.FunctionDefinition;
import dev.connectorevents.emulator.template.Right;
import dev.connectorevents.emulator.template.Template;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks limits on what functions may do with the data of users. A function that is added later
 * must keep these limits too.
 */
class LeastDataTest {

  private static final String LOGIN = "LoginFunction";
  private static final String MANAGE_USERS = "ManageUsersFunction";

  @TempDir private Path directory;

  private static final List<String> READS =
      List.of("GetItem", "BatchGetItem", "Query", "Scan", "PartiQLSelect");

  /**
   * A call that no function may make, with at most one exception.
   *
   * @param deed what the call does
   * @param exempt id of the function that may make the call; empty if there is none
   */
  private record Limit(String deed, Right call, String exempt) {

    static Limit read(String operation) {
      return new Limit(
          "reads whole users by " + operation,
          call(operation, "dynamodb:Select", "ALL_ATTRIBUTES", "email"),
          "");
    }

    static Limit readHash(String operation) {
      return new Limit(
          "reads hashes by " + operation,
          call(operation, "dynamodb:Select", "SPECIFIC_ATTRIBUTES", "email", "password_hash"),
          operation.equals("GetItem") ? LOGIN : "");
    }

    static Limit list() {
      return new Limit(
          "lists users",
          call("Scan", "dynamodb:Select", "SPECIFIC_ATTRIBUTES", "email"),
          MANAGE_USERS);
    }

    static Limit write(String deed, String operation, String returned, String... attributes) {
      return new Limit(
          deed, call(operation, "dynamodb:ReturnValues", returned, attributes), MANAGE_USERS);
    }

    private static Right call(String operation, String key, String value, String... attributes) {
      return new Right(
          "dynamodb:" + operation,
          "arn:aws:dynamodb:us-east-1:000000000000:table/UsersTable",
          Map.of("dynamodb:Attributes", Set.of(attributes), key, Set.of(value)));
    }
  }

  private static List<Limit> limits() {
    List<Limit> limits = new ArrayList<>();
    READS.forEach(operation -> {
      limits.add(Limit.read(operation));
      limits.add(Limit.readHash(operation));
    });
    limits.add(Limit.list());
    limits.add(Limit.write("changes states", "UpdateItem", "NONE", "email", "state"));
    limits.add(Limit.write("gets whole users", "UpdateItem", "ALL_NEW", "email", "password_hash"));
    limits.add(Limit.write("replaces users", "PutItem", "NONE", "email"));
    limits.add(Limit.write("adds users", "PartiQLInsert", "NONE", "email"));
    return limits;
  }

  @Test
  void only_login_may_read_hashes_and_only_operators_may_list_and_change_users()
      throws IOException {
    assertThat(mistakes(World.TEMPLATE)).isEmpty();
  }

  static List<Mistake> mistakes() {
    String select = "StringEqualsIfExists: { dynamodb:Select: SPECIFIC_ATTRIBUTES }";
    String attributes =
        "dynamodb:Attributes: [email, id, name, state, role, event_types, created_at, ";
    return List.of(
        new Mistake("LoginFunction", select, "", "LoginFunction reads whole users by GetItem"),
        new Mistake(SHARED_POLICY, select, "", "RefreshFunction reads whole users by GetItem"),
        new Mistake(
            SHARED_POLICY,
            attributes,
            attributes + "password_hash, ",
            "MeFunction reads hashes by GetItem"),
        new Mistake(
            SHARED_POLICY,
            "ForAllValues:StringEquals:\n                "
                + attributes
                + "tokens_valid_from]\n              ",
            "",
            "CreateEventFunction reads hashes by GetItem"),
        new Mistake(
            "CreateEventFunction",
            "Resource: !GetAtt EventsTable.Arn",
            "Resource: [!GetAtt EventsTable.Arn, !GetAtt UsersTable.Arn]",
            "CreateEventFunction replaces users"),
        new Mistake(
            "CreateBatchFunction",
            "Resource: !GetAtt EventsTable.Arn",
            "Resource: [!GetAtt EventsTable.Arn, !GetAtt UsersTable.Arn]",
            "CreateBatchFunction adds users"),
        new Mistake(
            "CreateEventFunction",
            "Action: dynamodb:PutItem # also what each item of a transaction needs\n"
                + "              Resource: !GetAtt EventsTable.Arn",
            "Action: dynamodb:Scan\n              Resource: !GetAtt UsersTable.Arn",
            "CreateEventFunction reads whole users by Scan"),
        new Mistake(
            SHARED_POLICY,
            "Action: dynamodb:GetItem",
            "Action: [dynamodb:GetItem, dynamodb:Scan]",
            "MeFunction lists users"),
        new Mistake(
            "ManageUsersFunction",
            "tokens_valid_from]",
            "tokens_valid_from, password_hash]",
            "ManageUsersFunction reads hashes by Scan"),
        new Mistake(
            "ManageUsersFunction", select, "", "ManageUsersFunction reads whole users by Scan"),
        new Mistake(
            "LoginFunction",
            "[email, password_hash]",
            "[email, password_hash, state]",
            "LoginFunction changes states"),
        new Mistake(
            "LoginFunction",
            "StringEqualsIfExists: { dynamodb:ReturnValues: NONE }",
            "",
            "LoginFunction gets whole users"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void a_limit_that_is_left_out_is_found(Mistake mistake) throws IOException {
    assertThat(mistakes(mistake.plantedIn(directory))).contains(mistake.message());
  }

  private static List<String> mistakes(Path template) throws IOException {
    List<String> mistakes = new ArrayList<>();
    for (FunctionDefinition function : Template.read(template, Map.of()).functions()) {
      limits().stream()
          .filter(limit -> !limit.exempt().equals(function.id()))
          .filter(limit -> function.rights().stream().anyMatch(right -> right.allows(limit.call())))
          .forEach(limit -> mistakes.add(function.id() + " " + limit.deed()));
    }
    return mistakes;
  }
}
