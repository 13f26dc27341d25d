package dev.connectorevents.http;

/**
 * One rule that a body breaks.
 *
 * @param pointer where: a JSON Pointer (RFC 6901)
 * @param detail what the rule is; quotes nothing of what was sent
 */
public record Fault(String pointer, String detail) {

  /** The pointer to that member of that object. */
  public static String pointer(String parent, String name) {
    return parent + "/" + name.replace("~", "~0").replace("/", "~1");
  }
}
