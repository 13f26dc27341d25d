package dev.connectorevents.emulator.iam;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import software.amazon.awssdk.core.SdkField;
import software.amazon.awssdk.core.SdkPojo;

/**
 * Derives IAM's condition keys from a call. In doubt it adds a value: the emulator then refuses
 * what AWS may allow.
 *
 * @see <a
 *     href="https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html">
 *     Using IAM policy conditions for fine-grained access control</a>
 */
final class ConditionValues {

  private static final List<String> KEYED_BY_ATTRIBUTE =
      List.of(
          "Key",
          "ExclusiveStartKey",
          "Item",
          "AttributeUpdates",
          "Expected",
          "KeyConditions",
          "QueryFilter",
          "ScanFilter");

  private static final List<String> EXPRESSIONS =
      List.of(
          "ProjectionExpression",
          "UpdateExpression",
          "ConditionExpression",
          "KeyConditionExpression",
          "FilterExpression");

  /** Both can return a whole item. AWS does not document whether IAM checks the second one. */
  private static final List<String> RETURNED =
      List.of("ReturnValues", "ReturnValuesOnConditionCheckFailure");

  // Skips :values, functions before their parenthesis, and all but the first part of a path a.b[0].
  private static final Pattern NAME = Pattern.compile("(?<![\\w#:.\\[])#?\\w++(?!\\s*\\()");

  private static final Set<String> KEYWORDS =
      Set.of("set", "remove", "add", "delete", "and", "or", "not", "between", "in");

  private ConditionValues() {}

  /** The values of a request or of one write of a transaction, by condition key. */
  static Map<String, Set<String>> of(SdkPojo call) {
    Map<String, Set<String>> values = new HashMap<>();
    values.put("dynamodb:Attributes", attributes(call));
    values.put("dynamodb:Select", select(call));
    values.put("dynamodb:ReturnValues", returned(call));
    values.values().removeIf(Set::isEmpty);
    return values;
  }

  private static Set<String> attributes(SdkPojo call) {
    Set<String> attributes = new HashSet<>(texts(call, "AttributesToGet"));
    KEYED_BY_ATTRIBUTE.forEach(field -> attributes.addAll(map(call, field).keySet()));
    keys(call).forEach(key -> key.keySet().forEach(name -> attributes.add(String.valueOf(name))));
    Map<String, ?> placeholders = map(call, "ExpressionAttributeNames");
    EXPRESSIONS.stream()
        .flatMap(field -> text(call, field).stream())
        .flatMap(ConditionValues::names)
        .map(name -> String.valueOf(placeholders.containsKey(name) ? placeholders.get(name) : name))
        .forEach(attributes::add);
    return attributes;
  }

  /** The keys of a batch read. */
  private static Stream<Map<?, ?>> keys(SdkPojo call) {
    return value(call, "Keys").stream()
        .flatMap(keys -> ((List<?>) keys).stream())
        .map(key -> (Map<?, ?>) key);
  }

  private static Stream<String> names(String expression) {
    return NAME.matcher(expression)
        .results()
        .map(MatchResult::group)
        .filter(name -> !KEYWORDS.contains(name.toLowerCase(Locale.ROOT)));
  }

  /**
   * Empty for a write: only reads have a projection. Without one, a read returns all attributes.
   */
  private static Set<String> select(SdkPojo call) {
    if (!call.sdkFieldNameToField().containsKey("ProjectionExpression")) {
      return Set.of();
    }
    boolean isProjection =
        text(call, "ProjectionExpression").isPresent() || !texts(call, "AttributesToGet").isEmpty();
    return Set.of(
        text(call, "Select").orElse(isProjection ? "SPECIFIC_ATTRIBUTES" : "ALL_ATTRIBUTES"));
  }

  private static Set<String> returned(SdkPojo call) {
    Set<String> returned = new HashSet<>();
    RETURNED.stream()
        .filter(call.sdkFieldNameToField()::containsKey)
        .forEach(field -> returned.add(text(call, field).orElse("NONE")));
    return returned;
  }

  private static Optional<String> text(SdkPojo call, String field) {
    return value(call, field).map(String::valueOf);
  }

  private static List<String> texts(SdkPojo call, String field) {
    return value(call, field).stream()
        .flatMap(list -> ((List<?>) list).stream())
        .map(String::valueOf)
        .toList();
  }

  @SuppressWarnings("unchecked") // the keys of DynamoDB's maps are texts
  private static Map<String, ?> map(SdkPojo call, String field) {
    return value(call, field).map(map -> (Map<String, ?>) map).orElse(Map.of());
  }

  private static Optional<?> value(SdkPojo call, String field) {
    SdkField<?> found = call.sdkFieldNameToField().get(field);
    return found == null ? Optional.empty() : Optional.ofNullable(found.getValueOrDefault(call));
  }
}
