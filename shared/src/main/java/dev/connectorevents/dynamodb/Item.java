package dev.connectorevents.dynamodb;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Puts and reads an item's attributes by their type. A null value is not put. */
public final class Item {

  private final Map<String, AttributeValue> attributes;

  public Item() {
    this(new HashMap<>());
  }

  /** Wraps the attributes that DynamoDB returned. */
  public Item(Map<String, AttributeValue> attributes) {
    this.attributes = attributes;
  }

  /** Where the next page begins; empty if a query or scan has come to its end. */
  public static Optional<Item> afterPage(Map<String, AttributeValue> lastEvaluatedKey) {
    return lastEvaluatedKey.isEmpty() ? Optional.empty() : Optional.of(new Item(lastEvaluatedKey));
  }

  public Map<String, AttributeValue> attributes() {
    return attributes;
  }

  /** Puts a number as a number, and any other value as text. */
  public Item put(String name, @Nullable Object value) {
    if (value != null) {
      String text = value.toString();
      attributes.put(
          name, value instanceof Number ? AttributeValue.fromN(text) : AttributeValue.fromS(text));
    }
    return this;
  }

  public Item put(String name, boolean value) {
    attributes.put(name, AttributeValue.fromBool(value));
    return this;
  }

  /** Copies an attribute from another item if that has it. */
  public Item copy(String name, Item other) {
    AttributeValue value = other.attributes.get(name);
    if (value != null) {
      attributes.put(name, value);
    }
    return this;
  }

  /** Removes an attribute if it is there. */
  public Item without(String name) {
    attributes.remove(name);
    return this;
  }

  /** Does not copy the bytes: the caller must not change them. */
  public Item put(String name, byte[] bytes) {
    attributes.put(name, AttributeValue.fromB(SdkBytes.fromByteArrayUnsafe(bytes)));
    return this;
  }

  public boolean has(String name) {
    return attributes.containsKey(name);
  }

  /** A required attribute that is true or false. */
  public boolean isTrue(String name) {
    return required(name).bool();
  }

  /** The bytes of a required attribute. */
  public byte[] bytes(String name) {
    return required(name).b().asByteArray();
  }

  /** The whole number of an attribute, or {@code otherwise} if it is absent. */
  public long number(String name, long otherwise) {
    AttributeValue value = attributes.get(name);
    return value == null ? otherwise : Long.parseLong(value.n());
  }

  /** The text of a required attribute. */
  public String text(String name) {
    return required(name).s();
  }

  /** The text of an attribute, if it is one. */
  public Optional<String> ifText(String name) {
    return Optional.ofNullable(required(name).s());
  }

  /** Converts the text or the digits of an attribute; null if it is absent. */
  public <T> @Nullable T optional(String name, Function<String, T> read) {
    AttributeValue value = attributes.get(name);
    return value == null ? null : read.apply(value.n() == null ? value.s() : value.n());
  }

  private AttributeValue required(String name) {
    AttributeValue value = attributes.get(name);
    if (value == null) {
      throw new IllegalStateException("the item has no attribute " + name);
    }
    return value;
  }
}
