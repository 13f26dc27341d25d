package dev.connectorevents.dynamodb.events;

import dev.connectorevents.dynamodb.Item;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What must hold for a write; nothing if its members are null. */
record Condition(
    @Nullable String expression,
    @Nullable Map<String, String> names,
    @Nullable Map<String, AttributeValue> values) {

  static final Condition NONE = new Condition(null, null, null);

  /**
   * Holds while the item is the one that was read: a freed key may have got a new event.
   *
   * @param attributes what tells it from others, by placeholders
   */
  static Condition isStill(Item read, Map<String, String> attributes) {
    List<String> terms = new ArrayList<>();
    Map<String, AttributeValue> values = new HashMap<>();
    attributes.forEach((placeholder, name) -> {
      AttributeValue value = read.attributes().get(name);
      if (value == null) {
        terms.add("attribute_not_exists(" + placeholder + ")");
      } else {
        terms.add(placeholder + " = :" + name);
        values.put(":" + name, value);
      }
    });
    return new Condition(String.join(" AND ", terms), attributes, values);
  }
}
