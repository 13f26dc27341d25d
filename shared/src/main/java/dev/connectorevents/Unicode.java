package dev.connectorevents;

import static java.nio.charset.StandardCharsets.UTF_8;

/** What a Java string can hold and UTF-8 cannot. */
public final class Unicode {

  private Unicode() {}

  /** Whether every surrogate has its other half: only then does a text survive its encoding. */
  public static boolean isWellFormed(String text) {
    return new String(text.getBytes(UTF_8), UTF_8).equals(text);
  }
}
