package dev.connectorevents.emulator.template;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * One thing that a function's role may do, as IAM writes it; or that a call does.
 *
 * @param action `service:Operation`, perhaps with wildcards
 * @param resource an ARN, perhaps with wildcards
 * @param values by condition key: those that a statement allows, or those that a call has
 */
public record Right(String action, String resource, Map<String, Set<String>> values) {
  private static final Set<String> KNOWN =
      Set.of("Sid", "Effect", "Action", "Resource", "Condition");

  public Right {
    values = Map.copyOf(values);
  }

  /** Without any condition. */
  public Right(String action, String resource) {
    this(action, resource, Map.of());
  }

  /** Whether it allows what somebody is about to do. */
  public boolean allows(Right needed) {
    return covers(needed) && excess(needed).isEmpty();
  }

  /** Whether it allows that action on that resource, perhaps under a condition. */
  public boolean covers(Right needed) {
    return matches(action, needed.action, Pattern.CASE_INSENSITIVE)
        && matches(resource, needed.resource, 0);
  }

  /** The call's values that are not allowed, by condition key. */
  public Map<String, Set<String>> excess(Right needed) {
    Map<String, Set<String>> excess = new TreeMap<>();
    values.forEach((key, allowed) -> {
      Set<String> rest = new TreeSet<>(needed.values.getOrDefault(key, Set.of()));
      rest.removeAll(allowed);
      if (!rest.isEmpty()) {
        excess.put(key, rest);
      }
    });
    return excess;
  }

  /** As IAM matches: a star stands for any text, a question mark for one character. */
  private static boolean matches(String pattern, String text, int flags) {
    var regex =
        pattern
            .chars()
            .mapToObj(each ->
                switch (each) {
                  case '*' -> ".*";
                  case '?' -> ".";
                  default -> Pattern.quote(Character.toString(each));
                })
            .collect(Collectors.joining());
    return Pattern.compile(regex, flags).matcher(text).matches();
  }

  @Override
  public String toString() {
    return action + " on " + resource;
  }

  /**
   * All that a function's `Policies` allow.
   *
   * @param prefix as {@link Names} has it
   */
  static List<Right> read(Section function, String prefix) {
    var rights = new ArrayList<Right>();
    for (var policy : function.list("Policies")) {
      if (!policy.has("Statement")) {
        throw new TemplateMistake(policy.where(), "only policies with a Statement are known here");
      }
      policy.list("Statement").forEach(statement -> rights.addAll(allowed(statement, prefix)));
    }
    return rights;
  }

  private static List<Right> allowed(Section statement, String prefix) {
    // What is left out here would be a right less or a right more on AWS.
    if (!KNOWN.containsAll(statement.values().keySet())
        || !statement.text("Effect").equals("Allow")) {
      throw new TemplateMistake(
          statement.where(), "only Effect Allow, Action, Resource and Condition are known here");
    }
    Map<String, Set<String>> values = StatementCondition.read(statement.section("Condition"));
    return statement.texts("Action").stream()
        .flatMap(action ->
            statement.texts("Resource").stream()
                .map(resource -> new Right(action, arn(action, resource, prefix), values)))
        .toList();
  }

  /** Elsewhere a template's secret goes by its name, which has to come out as an ARN here. */
  private static String arn(String action, String resource, String prefix) {
    return action.startsWith("secretsmanager:") && !prefix.isEmpty() && resource.startsWith(prefix)
        ? Arn.secret(resource)
        : resource;
  }
}
