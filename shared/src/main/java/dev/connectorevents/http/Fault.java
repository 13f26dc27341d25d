package dev.connectorevents.http;

/**
 * One rule that a body breaks.
 *
 * @param pointer to what breaks it: a JSON Pointer (RFC 6901)
 * @param detail the rule; quotes nothing of what was sent
 */
public record Fault(String pointer, String detail) {

  /** The longest name that an answer repeats, in characters. */
  static final int MAX_NAME = 255;

  /**
   * The pointer to a member of an object. If the member's name is very long, the pointer to the
   * object itself.
   */
  public static String pointer(String parent, String name) {
    return name.length() > MAX_NAME
        ? parent
        : parent + "/" + name.replace("~", "~0").replace("/", "~1");
  }
}
