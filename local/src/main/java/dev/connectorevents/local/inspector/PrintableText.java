package dev.connectorevents.local.inspector;

/** Makes text of requests safe to print: a terminal obeys control characters. */
final class PrintableText {

  private static final int MAX_LENGTH = 100;

  private PrintableText() {}

  static String of(String text) {
    return of(text, MAX_LENGTH);
  }

  static String of(String text, int maxLength) {
    String plain = plain(text);
    return plain.length() <= maxLength ? plain : plain.substring(0, maxLength) + "…";
  }

  /** Shortens in the middle: the end of a path says as much as its beginning. */
  static String middle(String text, int maxLength) {
    String plain = plain(text);
    int end = maxLength / 3;
    return plain.length() <= maxLength
        ? plain
        : plain.substring(0, maxLength - end - 1) + "…" + plain.substring(plain.length() - end);
  }

  private static String plain(String text) {
    return text.replaceAll("[\\p{Cc}\\p{Cf}]", "\uFFFD");
  }
}
