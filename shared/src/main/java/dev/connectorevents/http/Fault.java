package dev.connectorevents.http;

/**
 * One rule that a body breaks.
 *
 * @param pointer where: a JSON Pointer (RFC 6901)
 * @param detail what the rule is; quotes nothing of what was sent
 */
public record Fault(String pointer, String detail) {

  /** Longer names are not repeated in an answer, in characters. */
  static final int MAX_NAME = 255;

  /** The pointer to that member of that object; to the object itself if its name is very long. */
  public static String pointer(String parent, String name) {
    return name.length() > MAX_NAME
        ? parent
        : parent + "/" + name.replace("~", "~0").replace("/", "~1");
  }
}
