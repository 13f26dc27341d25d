package dev.connectorevents.event;

import java.util.Optional;

/**
 * A payload as it was sent: cut out of the request's text, never parsed and rewritten.
 *
 * @param text the object, from its opening to its closing brace
 * @param isEmpty whether the object has no members
 * @param sentMeta its member {@code _meta}, if it has one
 */
public record SentPayload(String text, boolean isEmpty, Optional<SentMeta> sentMeta) {

  /**
   * The member {@code _meta} in the payload's text.
   *
   * @param start index of the opening quote of its name
   * @param end index after its value
   */
  public record SentMeta(Meta meta, int start, int end) {}

  /** The {@code request_id} in the {@code _meta} that was sent. */
  public Optional<String> requestId() {
    return sentMeta.map(SentMeta::meta).flatMap(Meta::requestId);
  }

  /** The text without {@code _meta}, the whitespace around that member, and one adjoining comma. */
  String withoutMeta() {
    return sentMeta.map(this::without).orElse(text);
  }

  private String without(SentMeta member) {
    int start = member.start();
    while (isWhitespace(text.charAt(start - 1))) {
      start--;
    }
    int end = member.end();
    while (isWhitespace(text.charAt(end))) {
      end++;
    }
    if (text.charAt(start - 1) == ',') {
      start--;
    } else if (text.charAt(end) == ',') {
      end++;
    }
    return text.substring(0, start) + text.substring(end);
  }

  /** RFC 8259, 2. */
  private static boolean isWhitespace(char character) {
    return character == ' ' || character == '\t' || character == '\n' || character == '\r';
  }
}
