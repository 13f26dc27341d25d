package dev.connectorevents.dynamodb;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.NullMarked;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The size of an item that was stored, whole or in part; here, since the store keeps its rule. */
@NullMarked
public record ItemBytes(Map<String, AttributeValue> item) {

  public long all() {
    return ItemSize.of(new Item(item));
  }

  public long withoutPayload() {
    Map<String, AttributeValue> others = new HashMap<>(item);
    others.remove("payload");
    return new ItemBytes(others).all();
  }
}
