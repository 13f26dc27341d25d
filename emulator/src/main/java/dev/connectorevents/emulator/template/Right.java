package dev.connectorevents.emulator.template;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * An action on a resource: either one that a policy allows, or one that a call needs. Only a
 * policy's has wildcards.
 *
 * @param action {@code service:Operation}
 * @param resource an ARN
 * @param values by condition key: those that a policy allows, or those that a call has
 */
public record Right(String action, String resource, Map<String, Set<String>> values) {

  public Right {
    values = Map.copyOf(values);
  }

  /** Without any condition. */
  public Right(String action, String resource) {
    this(action, resource, Map.of());
  }

  public boolean allows(Right needed) {
    return covers(needed) && excess(needed).isEmpty();
  }

  /** Whether it allows that action on that resource if its conditions hold. */
  public boolean covers(Right needed) {
    return matches(action, needed.action, Pattern.CASE_INSENSITIVE)
        && matches(resource, needed.resource, 0);
  }

  /** The call's values that the conditions forbid, by condition key. */
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

  /** IAM's wildcards: {@code *} matches any text, {@code ?} any character. */
  private static boolean matches(String pattern, String text, int flags) {
    String regex = Pattern.quote(pattern).replace("*", "\\E.*\\Q").replace("?", "\\E.\\Q");
    return Pattern.compile(regex, flags).matcher(text).matches();
  }

  @Override
  public String toString() {
    return action + " on " + resource;
  }
}
