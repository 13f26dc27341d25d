package dev.connectorevents.acceptance.rights;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.emulator.template.FunctionDefinition;
import dev.connectorevents.emulator.template.Right;
import dev.connectorevents.emulator.template.Template;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

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

  @Test
  void a_function_uses_the_key_only_through_the_services_that_it_calls() throws IOException {
    assertThat(mistakes()).isEmpty();
  }

  private static List<String> mistakes() throws IOException {
    List<String> mistakes = new ArrayList<>();
    Map<String, String> parameters = Map.of("KmsKeyArn", KEY);
    for (FunctionDefinition function : Template.read(World.TEMPLATE, parameters).functions()) {
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
      // AWS names no service of streams. So what reads them has an asterisk.
      Set<String> via =
          right.conditions().getOrDefault("kms:ViaService", Set.of()).stream()
              .map(service -> service.replaceFirst("^\\*", ""))
              .collect(Collectors.toCollection(TreeSet::new));
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
