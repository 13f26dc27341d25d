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
      Pattern.compile("[a-z0-9][a-z0-9_-]*\\.[A-Za-z0-9._:-]+(/[A-Za-z0-9._:-]+)*");

  /**
   * @throws IllegalArgumentException if {@code value} is not an event type
   */
  public EventType {
    if (!isEventType(value)) {
      throw new IllegalArgumentException("not an event type");
    }
  }

  /** Parses an event type; empty if the text is not one. */
  public static Optional<EventType> parse(String text) {
    return isEventType(text) ? Optional.of(new EventType(text)) : Optional.empty();
  }

  /** What comes before the first dot. */
  public String provider() {
    return value.substring(0, value.indexOf('.'));
  }

  /** What comes after the first dot. */
  public String topic() {
    return value.substring(value.indexOf('.') + 1);
  }

  private static boolean isEventType(String text) {
    return text.length() <= MAX_LENGTH && SHAPE.matcher(text).matches();
  }
}
