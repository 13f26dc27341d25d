package dev.connectorevents.dynamodb;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** An item of a table, its attributes put and read by their type; absent ones are left out. */
final class Item {

  private final Map<String, AttributeValue> attributes;

  Item() {
    this(new HashMap<>());
  }

  /** An item that was read. */
  Item(Map<String, AttributeValue> attributes) {
    this.attributes = attributes;
  }

  /** An item with the same attributes, which may then be changed by itself. */
  Item copy() {
    return new Item(new HashMap<>(attributes));
  }

  Map<String, AttributeValue> attributes() {
    return attributes;
  }

  Item put(String name, @Nullable Object text) {
    if (text != null) {
      attributes.put(name, AttributeValue.fromS(text.toString()));
    }
    return this;
  }

  Item put(String name, @Nullable Number number) {
    if (number != null) {
      attributes.put(name, AttributeValue.fromN(number.toString()));
    }
    return this;
  }

  /** Takes an attribute over from another item that may have it. */
  Item copy(String name, Item other) {
    AttributeValue value = other.attributes.get(name);
    if (value != null) {
      attributes.put(name, value);
    }
    return this;
  }

  /** The bytes are not copied, and must not be changed. */
  Item put(String name, byte[] bytes) {
    attributes.put(name, AttributeValue.fromB(SdkBytes.fromByteArrayUnsafe(bytes)));
    return this;
  }

  /** The bytes of an attribute that every item of its table has. */
  byte[] bytes(String name) {
    return required(name).b().asByteArray();
  }

  /** The whole number of an attribute, or another one where it is left out. */
  long number(String name, long otherwise) {
    AttributeValue value = attributes.get(name);
    return value == null ? otherwise : Long.parseLong(value.n());
  }

  /** The text of an attribute that every item of its table has. */
  String text(String name) {
    return required(name).s();
  }

  /** What is made of the text or the digits of an attribute, or null where it is left out. */
  <T> @Nullable T optional(String name, Function<String, T> read) {
    AttributeValue value = attributes.get(name);
    return value == null ? null : read.apply(value.n() == null ? value.s() : value.n());
  }

  private AttributeValue required(String name) {
    AttributeValue value = attributes.get(name);
    if (value == null) {
      throw new IllegalStateException("an item without " + name);
    }
    return value;
  }
}
