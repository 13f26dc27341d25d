package dev.connectorevents.emulator.template;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Reads a statement's {@code Condition}, if it limits the attributes of items. Both operators mean
 * the same here: the list contains every value that the call has for the key. A call without the
 * key passes.
 *
 * @see <a
 *     href="https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html">
 *     IAM's condition operators</a>
 */
final class StatementCondition {

  // On AWS a key with several values needs a set operator, and a key with one value must not have
  // one.
  private static final Map<String, Set<String>> KNOWN =
      Map.of(
          "ForAllValues:StringEquals", Set.of("dynamodb:Attributes"),
          "StringEqualsIfExists", Set.of("dynamodb:Select", "dynamodb:ReturnValues"));

  private StatementCondition() {}

  /** The values that each condition key may have. */
  static Map<String, Set<String>> read(Section condition) {
    Map<String, Set<String>> allowed = new HashMap<>();
    condition
        .sections()
        .forEach(operator -> {
          Section keys = operator.getValue();
          for (String key : keys.values().keySet()) {
            if (!KNOWN.getOrDefault(operator.getKey(), Set.of()).contains(key)) {
              throw new TemplateMistake(
                  keys.path(key), "only these conditions are known here: " + KNOWN);
            }
            allowed.put(key, Set.copyOf(keys.texts(key)));
          }
        });
    return allowed;
  }
}
