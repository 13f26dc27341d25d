package dev.connectorevents.emulator.template;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the document of a policy.
 *
 * @see <a
 *     href="https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html">
 *     IAM's condition operators</a>
 */
final class PolicyDocument {

  /** The condition keys that an operator may have. No call is compared: nobody calls KMS here. */
  private static final Map<String, Set<String>> CONDITIONS =
      Map.of("StringEquals", Set.of("kms:ViaService"), "StringLike", Set.of("kms:ViaService"));

  private PolicyDocument() {}

  /**
   * @param prefix of the names of tables and secrets in another process; empty for our own
   */
  static List<Right> read(Section document, String prefix) {
    // AWS takes a document without a Version as one of 2008.
    if (!document.optionalText("Version").equals(Optional.of("2012-10-17"))) {
      throw new TemplateMistake(
          document.where(), "only policies with Version 2012-10-17 are known here");
    }
    return document.list("Statement").stream()
        .flatMap(statement -> allowed(statement, prefix).stream())
        .toList();
  }

  private static List<Right> allowed(Section statement, String prefix) {
    if (!statement.text("Effect").equals("Allow")) {
      throw new TemplateMistake(statement.path("Effect"), "only Allow is known here");
    }
    Map<String, Set<String>> values = values(statement.section("Condition"));
    return statement.texts("Action").stream()
        .flatMap(action ->
            statement.texts("Resource").stream()
                .map(resource -> new Right(action, arn(action, resource, prefix), values)))
        .toList();
  }

  /** The values that a call may have, by condition key. */
  private static Map<String, Set<String>> values(Section condition) {
    Map<String, Set<String>> allowed = new HashMap<>();
    condition
        .sections()
        .forEach((operator, keys) -> {
          for (String key : keys.values().keySet()) {
            if (!CONDITIONS.getOrDefault(operator, Set.of()).contains(key)) {
              throw new TemplateMistake(
                  keys.path(key), "only these conditions are known here: " + CONDITIONS);
            }
            allowed.put(key, Set.copyOf(keys.texts(key)));
          }
        });
    return allowed;
  }

  /** In another process, a reference to a secret is its name. A right needs an ARN. */
  private static String arn(String action, String resource, String prefix) {
    return action.startsWith("secretsmanager:") && !prefix.isEmpty() && resource.startsWith(prefix)
        ? Arn.secret(resource)
        : resource;
  }
}
