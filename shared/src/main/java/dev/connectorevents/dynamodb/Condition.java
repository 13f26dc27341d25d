package dev.connectorevents.dynamodb;

import static java.util.stream.Collectors.toMap;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What must hold for a write; nothing if its members are null. */
public record Condition(
    @Nullable String expression,
    @Nullable Map<String, String> names,
    @Nullable Map<String, AttributeValue> values) {

  public static final Condition NONE = new Condition(null, null, null);

  /**
   * Holds while the item is the one that was read: another write may have come before, and a freed
   * key may have got a new item.
   *
   * @param attributes what tells it from others; the item has at least one of them
   */
  public static Condition isStill(Item read, Collection<String> attributes) {
    List<String> terms = new ArrayList<>();
    Map<String, AttributeValue> values = new HashMap<>();
    for (String name : attributes) {
      AttributeValue value = read.attributes().get(name);
      if (value == null) {
        terms.add("attribute_not_exists(#" + name + ")");
      } else {
        terms.add("#" + name + " = :" + name);
        values.put(":" + name, value);
      }
    }
    return new Condition(String.join(" AND ", terms), placeholders(attributes), values);
  }

  /** The names by their placeholders, such as {@code #count}: many words are reserved. */
  public static Map<String, String> placeholders(Collection<String> names) {
    return names.stream().collect(toMap(name -> "#" + name, name -> name));
  }
}
