package dev.connectorevents.event;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What happened and where: {@code <provider>.<topic>}, such as {@code shopify.orders/create}. The
 * topic is as the provider writes it. Lists of types separate them by commas, patterns end in a
 * star, and {@code _meta} quotes a topic in JSON: so no topic contains one of {@code , * " \}.
 *
 * @param value at most {@value #MAX_LENGTH} characters
 */
public record EventType(String value) {

  /** In characters. */
  public static final int MAX_LENGTH = 255;

  /** What a string must be, for a message. */
  public static final String RULE =
      "provider: lowercase letters, digits, - and _; then a dot; then the topic, as in"
          + " shopify.orders/create: printable ASCII without * , \" \\ in parts separated by single"
          + " slashes, a space only inside a part; percent-encode other characters, as in %C3%A9; at"
          + " most "
          + MAX_LENGTH
          + " characters";

  /** The visible characters of ASCII without {@code / * , " \}. */
  private static final String VISIBLE = "[!#-)+.0-\\[\\]-~-]++";

  private static final String PART = VISIBLE + "(?: ++" + VISIBLE + ")*+";
  private static final Pattern SHAPE =
      Pattern.compile("[a-z0-9][a-z0-9_-]*+\\." + PART + "(?:/" + PART + ")*+");

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
