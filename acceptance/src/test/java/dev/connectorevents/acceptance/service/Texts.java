package dev.connectorevents.acceptance.service;

import java.util.Base64;
import java.util.List;
import java.util.Random;

/** Texts for the payloads of tests. */
public final class Texts {

  /** JSON values that could change if the service parsed a payload and wrote it again. */
  public static final List<String> ODD =
      List.of(
          "1.0",
          "1E400",
          "-0",
          "0.1234567890123456789012345678901",
          "{ \"b\" : [ ] ,\r\n\t\"a\":{}}",
          "\"Zo\\u00eb, Zoë, \\ud83d\\ude00 😀\"",
          "\"}{\\\"\\\\\"",
          "[null,true,{\"n\":1,\"n\":2}]");

  private Texts() {}

  /** Random bytes in Base64, the same each time: gzip makes as many bytes of the text again. */
  public static String noise(int bytes) {
    byte[] noise = new byte[bytes];
    new Random(1).nextBytes(noise);
    return Base64.getEncoder().encodeToString(noise);
  }
}
