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
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What functions may do with a customer managed KMS key. DynamoDB and Secrets Manager call KMS on
 * behalf of a function. The function itself never calls KMS.
 *
 * @see <a
 *     href="https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/encryption.usagenotes.html">
 *     What DynamoDB needs</a>
 * @see <a
 *     href="https://docs.aws.amazon.com/secretsmanager/latest/userguide/rotating-secrets-required-permissions-function.html">
 *     What a rotation needs</a>
 */
class OwnKeyTest {

  private static final String KEY = "arn:aws:kms:us-east-1:000000000000:key/own";

  private static final Set<String> TO_READ = Set.of("kms:Decrypt");

  private static final Set<String> TO_ROTATE =
      Set.of("kms:Decrypt", "kms:DescribeKey", "kms:GenerateDataKey");

  private static final Set<String> TO_WRITE =
      Set.of(
          "kms:Decrypt",
          "kms:DescribeKey",
          "kms:Encrypt",
          "kms:GenerateDataKey",
          "kms:GenerateDataKeyWithoutPlaintext",
          "kms:ReEncryptFrom",
          "kms:ReEncryptTo");

  @TempDir private Path directory;

  @Test
  void a_function_uses_the_key_only_through_the_services_that_it_calls() throws IOException {
    assertThat(mistakes(World.TEMPLATE)).isEmpty();
  }

  static List<Mistake> mistakes() {
    String dynamoDb = "!Sub \"dynamodb.${AWS::Region}.amazonaws.com\"";
    return List.of(
        new Mistake(
            SHARED_POLICY,
            dynamoDb + ", ",
            "",
            "MeFunction uses the key through [secretsmanager.us-east-1.amazonaws.com]"),
        new Mistake(
            "RotateSigningKeyFunction",
            "kms:ViaService: [",
            "kms:ViaService: [" + dynamoDb + ", ",
            "RotateSigningKeyFunction uses the key through [dynamodb.us-east-1.amazonaws.com,"
                + " secretsmanager.us-east-1.amazonaws.com]"),
        new Mistake(
            SHARED_POLICY,
            "Condition:\n                StringEquals:\n                  kms:ViaService: ["
                + dynamoDb
                + ", !Sub \"secretsmanager.${AWS::Region}.amazonaws.com\"]",
            "",
            "MeFunction uses the key through []"),
        new Mistake(
            SHARED_POLICY,
            "Action: kms:Decrypt",
            "Action: [kms:Decrypt, kms:Encrypt]",
            "RefreshFunction has [kms:Decrypt, kms:Encrypt]"),
        new Mistake(
            "WriteWithOwnKmsKeyPolicy",
            "- kms:GenerateDataKey\n",
            "- kms:Sign\n",
            "ManageUsersFunction has [kms:Decrypt, kms:DescribeKey, kms:Encrypt,"
                + " kms:GenerateDataKeyWithoutPlaintext, kms:ReEncryptFrom, kms:ReEncryptTo,"
                + " kms:Sign]"),
        new Mistake(
            SHARED_POLICY,
            "Resource: !Ref KmsKeyArn",
            "Resource: \"*\"",
            "ListEventsFunction has [kms:Decrypt] on [*]"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void a_mistake_is_found_and_named(Mistake mistake) throws IOException {
    assertThat(mistakes(mistake.plantedIn(directory))).contains(mistake.message());
  }

  private static List<String> mistakes(Path template) throws IOException {
    List<String> mistakes = new ArrayList<>();
    Map<String, String> parameters = Map.of("KmsKeyArn", KEY);
    for (FunctionDefinition function : Template.read(template, parameters).functions()) {
      check(
          function.id(),
          function.rights().stream().filter(OwnKeyTest::isOfKey).toList(),
          function.rights().stream().filter(right -> !isOfKey(right)).toList(),
          mistakes);
    }
    return mistakes;
  }

  private static boolean isOfKey(Right right) {
    return right.action().startsWith("kms:");
  }

  private static void check(
      String function, List<Right> ofKey, List<Right> others, List<String> mistakes) {
    Set<String> actions =
        ofKey.stream().map(Right::action).collect(Collectors.toCollection(TreeSet::new));
    Set<String> keys =
        ofKey.stream().map(Right::resource).collect(Collectors.toCollection(TreeSet::new));
    if (!actions.equals(needed(others))) {
      mistakes.add("%s has %s".formatted(function, actions));
    }
    if (!keys.equals(Set.of(KEY))) {
      mistakes.add("%s has %s on %s".formatted(function, actions, keys));
    }
    Set<String> called =
        others.stream()
            .map(right -> right.action().replaceFirst(":.*", ".us-east-1.amazonaws.com"))
            .collect(Collectors.toSet());
    for (Right right : ofKey) {
      Set<String> via = new TreeSet<>(right.conditions().getOrDefault("kms:ViaService", Set.of()));
      if (!via.equals(called)) {
        mistakes.add("%s uses the key through %s".formatted(function, via));
      }
    }
  }

  private static Set<String> needed(List<Right> others) {
    Set<String> actions = others.stream().map(Right::action).collect(Collectors.toSet());
    if (actions.contains("secretsmanager:PutSecretValue")) {
      return TO_ROTATE;
    }
    boolean writes =
        actions.contains("dynamodb:PutItem") || actions.contains("dynamodb:UpdateItem");
    return writes ? TO_WRITE : TO_READ;
  }
}
