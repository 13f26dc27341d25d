package dev.connectorevents.event;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What happened and where: {@code <provider>.<topic>}, such as {@code shopify.orders/create}.
 *
 * @param value at most {@value #MAX_LENGTH} characters
 */
public record EventType(String value) {

  /** In characters. */
  public static final int MAX_LENGTH = 255;

  private static final Pattern SHAPE =
      Pattern.compile("[a-z0-9][a-z0-9_-]*+\\.[\\w.:-]++(?:/[\\w.:-]++)*+");

  /**
   * @throws IllegalArgumentException if {@code value} is not an event type
   */
  public EventType {
    if (value.length() > MAX_LENGTH || !SHAPE.matcher(value).matches()) {
      throw new IllegalArgumentException("not an event type");
    }
  }

  /** Parses an event type; empty if the text is not one. */
  public static Optional<EventType> parse(String text) {
    try {
      return Optional.of(new EventType(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** What comes before the first dot. */
  public String provider() {
    return value.substring(0, value.indexOf('.'));
  }

  /** What comes after the first dot. */
  public String topic() {
    return value.substring(value.indexOf('.') + 1);
  }
}
