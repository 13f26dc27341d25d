package dev.connectorevents.event;

import java.util.Optional;

/**
 * A client's name for an event: a retry under the same key does not store the event twice.
 *
 * @param value 1 to {@value #MAX_LENGTH} printable ASCII characters, without a space at either end:
 *     HTTP trims headers, so the same key in a body would be another one
 */
public record IdempotencyKey(String value) {

  /** In characters. */
  public static final int MAX_LENGTH = 255;

  /** What a key is, for people. */
  public static final String RULE =
      "1 to " + MAX_LENGTH + " printable ASCII characters, without a space at either end";

  /**
   * @throws IllegalArgumentException if {@code value} is not such a key
   */
  public IdempotencyKey {
    if (value.isEmpty()
        || value.length() > MAX_LENGTH
        || value.startsWith(" ")
        || value.endsWith(" ")
        || value.chars().anyMatch(character -> character < ' ' || character > '~')) {
      throw new IllegalArgumentException("not an idempotency key");
    }
  }

  /** Parses a key; empty if the text is not one. */
  public static Optional<IdempotencyKey> parse(String text) {
    try {
      return Optional.of(new IdempotencyKey(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
