package dev.connectorevents.event;

import java.util.Comparator;
import java.util.Optional;

/**
 * A set of event types: all ({@code *}), those of a provider ({@code shopify.*}), those with a
 * beginning ({@code shopify.orders/*}), or a single one.
 */
public record EventTypePattern(String value) {

  /** The notation, for a message. */
  public static final String RULE =
      "*, <provider>.*, <provider>.<beginning of the topic>* or one event type, as in"
          + " shopify.orders/*; the provider in lower case; an event type must be able to match it";

  /** Matches every event type. */
  static final EventTypePattern ANY = new EventTypePattern("*");

  /**
   * Orders the patterns that match one event type: the last one is the most specific. A full event
   * type is more specific than any beginning, and a longer beginning than a shorter one.
   */
  static final Comparator<EventTypePattern> BY_SPECIFICITY =
      Comparator.comparing(EventTypePattern::isFullType)
          .thenComparingInt(pattern -> pattern.beginning().length());

  /**
   * @throws IllegalArgumentException if {@code value} is not a pattern, or no event type matches it
   */
  public EventTypePattern {
    if (!isPattern(value)) {
      throw new IllegalArgumentException("not a pattern of event types");
    }
  }

  /** Parses a pattern; empty if the text is not one, or no event type matches it. */
  public static Optional<EventTypePattern> parse(String text) {
    return isPattern(text) ? Optional.of(new EventTypePattern(text)) : Optional.empty();
  }

  public boolean matches(EventType type) {
    return isFullType() ? type.value().equals(value) : type.value().startsWith(beginning());
  }

  /** Whether an event type may match both patterns. */
  public boolean overlaps(EventTypePattern other) {
    if (isFullType()) {
      return other.matches(new EventType(value));
    }
    return other.isFullType()
        ? other.overlaps(this)
        : beginning().startsWith(other.beginning()) || other.beginning().startsWith(beginning());
  }

  private static boolean isPattern(String text) {
    if (!isOpen(text)) {
      return EventType.parse(text).isPresent();
    }
    String beginning = beginning(text);
    // A beginning that ends with its provider's dot, a slash or a space is no type by itself.
    return beginning.isEmpty()
        || EventType.parse(beginning).isPresent()
        || EventType.parse(beginning + "x").isPresent();
  }

  /** Whether only one event type matches. */
  public boolean isFullType() {
    return !isOpen(value);
  }

  /** What every matching event type begins with: all of it, if only one matches. */
  public String beginning() {
    return beginning(value);
  }

  private static boolean isOpen(String text) {
    return text.endsWith("*");
  }

  private static String beginning(String text) {
    return isOpen(text) ? text.substring(0, text.length() - 1) : text;
  }

  @Override
  public String toString() {
    return value;
  }
}
