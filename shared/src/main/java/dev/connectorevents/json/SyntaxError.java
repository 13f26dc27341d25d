package dev.connectorevents.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import dev.connectorevents.Json;

/** Says why a text is not JSON, and where; it quotes nothing of the text. */
final class SyntaxError {

  private static final String BYTE_ORDER_MARK = "\ufeff";

  private SyntaxError() {}

  /**
   * The detail for clients.
   *
   * @param example of a body
   */
  static String detail(String text, JsonProcessingException error, String example) {
    String place = Json.place(error.getLocation());
    if (text.startsWith(BYTE_ORDER_MARK)) {
      return "The body begins with a byte order mark (U+FEFF): send UTF-8 without one.";
    }
    if (error instanceof JsonEOFException) {
      return "The body ends before its JSON does: "
          + place
          + ". It was cut off, or a brace is missing. Content-Length counts bytes, not characters.";
    }
    if (!text.stripLeading().startsWith("{")) {
      return "The body is not JSON. It must be one JSON object, as in " + example + ".";
    }
    return "The body " + fault(error.getOriginalMessage(), place);
  }

  /** Jackson's location may be a character after the fault, so only its message tells the kind. */
  private static String fault(String message, String place) {
    if (message.startsWith("Illegal unquoted character")) {
      return "has a control character in a string: "
          + place
          + ". Write a line break as \\n, a tab as \\t, and others as \\u with four hex digits.";
    }
    if (message.startsWith("Unrecognized character escape")) {
      return "has a backslash that escapes nothing: " + place + ". Write two backslashes for one.";
    }
    if (message.endsWith("expected a hex-digit for character escape sequence")) {
      return "has \\u without four hex digits: " + place + ". Write two backslashes for one.";
    }
    return "is not valid JSON: "
        + place
        + ". Names and strings need double quotes; true, false and null are in lower case; NaN,"
        + " comments and a comma before } are not JSON.";
  }
}
