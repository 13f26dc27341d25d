package dev.connectorevents.emulator.template;

import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * An action on a resource: either one that a policy allows, or one that a call needs. Only a
 * policy's has wildcards and conditions.
 *
 * @param action {@code service:Operation}
 * @param resource an ARN
 * @param conditions the values that a policy demands, by condition key. The emulator checks none:
 *     all are on calls of AWS's services to KMS, which nobody makes here
 */
public record Right(String action, String resource, Map<String, Set<String>> conditions) {

  public Right {
    conditions = Map.copyOf(conditions);
  }

  /** Without any condition. */
  public Right(String action, String resource) {
    this(action, resource, Map.of());
  }

  /** Whether it is one on a stream, which Lambda's poller uses, and no code of a function. */
  public boolean isOnStream() {
    return Arn.tableOfStream(resource).isPresent();
  }

  public boolean allows(Right needed) {
    return matches(action, needed.action, Pattern.CASE_INSENSITIVE)
        && matches(resource, needed.resource, 0);
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
