package dev.connectorevents.event;

import java.util.Optional;

/**
 * A payload as it was sent: cut out of the request's own text, never parsed and written again.
 *
 * @param text from brace to brace
 * @param isEmpty whether it is an object without members
 */
public record SentPayload(String text, boolean isEmpty, Optional<SentMeta> sentMeta) {

  /**
   * The member {@code _meta} in the payload's text.
   *
   * @param start index of its name's opening quote
   * @param end index behind its value
   */
  public record SentMeta(Meta meta, int start, int end) {}

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
