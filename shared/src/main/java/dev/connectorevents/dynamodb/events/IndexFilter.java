package dev.connectorevents.dynamodb.events;

import static dev.connectorevents.dynamodb.events.EventAttributes.EVENT_TYPE;
import static dev.connectorevents.dynamodb.events.EventAttributes.USER_ID;
import static java.util.stream.Collectors.joining;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.event.EventQuery;
import dev.connectorevents.event.EventTypePattern;
import dev.connectorevents.event.EventTypes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * What a query leaves out of an index. DynamoDB judges it after it has read and counted an entry,
 * and returns only what passes.
 *
 * @param expression null if nothing is left out
 */
record IndexFilter(@Nullable String expression, Map<String, AttributeValue> values) {

  static final IndexFilter NONE = new IndexFilter(null, Map.of());

  /** What a list shows to a reader with this scope. An entry without a type is a tombstone's. */
  static IndexFilter of(EventQuery query, Optional<EventTypes> scope) {
    Map<String, AttributeValue> values = new HashMap<>();
    List<String> terms = new ArrayList<>();
    query.types().ifPresent(types -> add(types, terms, values));
    scope.ifPresent(types -> add(types, terms, values));
    boolean isOfAllBrands = query.brand().isEmpty();
    if (isOfAllBrands && !query.hasErasures()) {
      terms.add("attribute_exists(" + EVENT_TYPE + ")");
    }
    String all = String.join(" AND ", terms);
    return query.hasErasures() && !terms.isEmpty()
        ? new IndexFilter("attribute_not_exists(" + EVENT_TYPE + ") OR " + all, values)
        : new IndexFilter(terms.isEmpty() ? null : all, values);
  }

  /** What a user has sent, of these event types. */
  static IndexFilter of(UUID userId, Optional<EventTypes> types) {
    Map<String, AttributeValue> values = new HashMap<>();
    List<String> terms = new ArrayList<>(List.of(USER_ID + " = :user"));
    values.put(":user", AttributeValue.fromB(SdkBytes.fromByteArray(EventItem.bytes(userId))));
    types.ifPresent(wanted -> add(wanted, terms, values));
    return new IndexFilter(String.join(" AND ", terms), values);
  }

  private static void add(
      EventTypes types, List<String> terms, Map<String, AttributeValue> values) {
    if (!types.containsAll()) {
      terms.add(
          types.patterns().stream()
              .map(pattern -> term(pattern, values))
              .collect(joining(" OR ", "(", ")")));
    }
  }

  private static String term(EventTypePattern pattern, Map<String, AttributeValue> values) {
    String name = ":type" + values.size();
    values.put(name, fromS(pattern.beginning()));
    return pattern.isFullType()
        ? EVENT_TYPE + " = " + name
        : "begins_with(" + EVENT_TYPE + ", " + name + ")";
  }
}
