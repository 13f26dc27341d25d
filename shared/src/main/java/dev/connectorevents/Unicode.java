package dev.connectorevents;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.text.Normalizer;
import java.util.Locale;
import java.util.function.UnaryOperator;

/** Rules of Unicode that Java's strings do not keep by themselves. */
public final class Unicode {

  /**
   * No text is longer than this many times its folded form. NFC composes at most four into one, and
   * {@link #foldCase} composes twice; upper and lower case never shorten.
   */
  private static final int MOST_SHORTENED = 16;

  /** In characters: the JDK's case mappings take quadratic time if characters become longer. */
  private static final int PIECE = 32;

  private Unicode() {}

  /** Whether every surrogate has its other half: only then does a text survive its encoding. */
  public static boolean isWellFormed(String text) {
    return new String(text.getBytes(UTF_8), UTF_8).equals(text);
  }

  /** A form that texts share if they differ only in case, or in how accents are composed (NFC). */
  public static String foldCase(String text) {
    // The small form of a capital sigma depends on the text around it, which the JDK searches for
    // each. It has two small forms, and both have this capital: so either would do.
    String upper =
        inPieces(nfc(text), piece -> piece.toUpperCase(Locale.ROOT)).replace('\u03a3', '\u03c3');
    return nfc(inPieces(upper, piece -> piece.toLowerCase(Locale.ROOT)));
  }

  /**
   * Whether a text is short enough for this folded form. Check it before you fold a text of unknown
   * length: NFC takes quadratic time for a text of many accents.
   */
  public static boolean canFoldTo(String text, String folded) {
    return text.length() <= MOST_SHORTENED * folded.length();
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
