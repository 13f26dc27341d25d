package dev.connectorevents;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.text.Normalizer;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** Rules of Unicode that Java's strings do not keep by themselves. */
public final class Unicode {

  /**
   * NFC takes quadratic time for accents in a row, and for the letters that it also composes with
   * the one before: the vowels and the finals of Hangul, and a vowel sign of Kirat Rai. No language
   * has more than 30 (<a href="https://www.unicode.org/reports/tr15/#Stream_Safe_Text_Format">UAX
   * 15, Stream-Safe Text Format</a>).
   */
  private static final Pattern TOO_MANY_ACCENTS =
      Pattern.compile("[\\p{M}\\u1160-\\u11ff\\x{16d67}]{31}");

  /** In characters: the JDK's case mappings take quadratic time if characters become longer. */
  private static final int PIECE = 32;

  private Unicode() {}

  /** Whether every surrogate has its other half: only then does a text survive its encoding. */
  public static boolean isWellFormed(String text) {
    return new String(text.getBytes(UTF_8), UTF_8).equals(text);
  }

  /**
   * A form that texts share if they differ only in case, or in how accents are composed (NFC). A
   * text is not folded if more than 30 of its characters in a row are accents, or compose as they
   * do.
   */
  public static String foldCase(String text) {
    if (isAscii(text)) {
      return text.toLowerCase(Locale.ROOT); // the same, in a tenth of the time
    }
    if (TOO_MANY_ACCENTS.matcher(text).find()) {
      return text;
    }
    // The small form of a capital sigma depends on the text around it, which the JDK searches for
    // each. It has two small forms, and both have this capital: so either would do.
    String upper =
        inPieces(nfc(text), piece -> piece.toUpperCase(Locale.ROOT)).replace('\u03a3', '\u03c3');
    return nfc(inPieces(upper, piece -> piece.toLowerCase(Locale.ROOT)));
  }

  /**
   * A character of a text that {@link #foldCase} leaves as it is, and makes of no other one:
   * {@code @} before a digit. Negative if the text has none.
   */
  public static int keptByFolding(String text) {
    return text.indexOf('@') >= 0
        ? '@'
        : text.chars().filter(each -> '0' <= each && each <= '9').findFirst().orElse(-1);
  }

  private static boolean isAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= 0x80) {
        return false;
      }
    }
    return true;
  }

  private static String nfc(String text) {
    return Normalizer.normalize(text, Normalizer.Form.NFC);
  }

  private static String inPieces(String text, UnaryOperator<String> mapping) {
    StringBuilder mapped = new StringBuilder(text.length());
    int start = 0;
    while (start < text.length()) {
      int end = Math.min(start + PIECE, text.length());
      boolean splitsPair = end < text.length() && Character.isHighSurrogate(text.charAt(end - 1));
      int pieceEnd = splitsPair ? end - 1 : end;
      mapped.append(mapping.apply(text.substring(start, pieceEnd)));
      start = pieceEnd;
    }
    return mapped.toString();
  }
}
