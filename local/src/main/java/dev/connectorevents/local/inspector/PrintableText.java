package dev.connectorevents.local.inspector;

/** Makes text of requests safe to print: a terminal obeys control characters. */
final class PrintableText {

  private static final int MAX_LENGTH = 100;

  private PrintableText() {}

  static String of(String text) {
    return of(text, MAX_LENGTH);
  }

  static String of(String text, int maxLength) {
    String plain = text.replaceAll("[\\p{Cc}\\p{Cf}]", "\uFFFD");
    return plain.length() <= maxLength ? plain : plain.substring(0, maxLength) + "…";
  }
}
