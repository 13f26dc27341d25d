package dev.connectorevents.acceptance.oracle;

import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Writes the events that a walk sends. Each new one has another number. */
final class WrittenEvents {

  /** JSON values that could change if the service parsed a payload and wrote it again. */
  private static final List<String> ODD =
      List.of(
          "1.0",
          "1E400",
          "-0",
          "0.1234567890123456789012345678901",
          "{ \"b\" : [ ] ,\r\n\t\"a\":{}}",
          "\"Zo\\u00eb, Zoë, \\ud83d\\ude00 😀\"",
          "\"}{\\\"\\\\\"",
          "[null,true,{\"n\":1,\"n\":2}]");

  private static final String NOISE = noise();

  /** A variant of an event that takes two items. */
  static final int LARGE = 0;

  private int number;

  SentEvent next(Optional<String> key, int what, int how) {
    number++;
    String type = Step.any(what, SentEvent.TYPES);
    return new SentEvent(key, type, how % 2, number, odd(what, how), how % 3 == 0, 0);
  }

  private static String odd(int what, int how) {
    return switch (how % 20) {
      case LARGE -> "\"" + NOISE.substring(what, what + 570_000) + "\""; // takes two items
      case 1, 2, 3 -> "\"" + NOISE.substring(what, what + 15_000 + what) + "\""; // takes gzip
      default -> Step.any(what, ODD);
    };
  }

  /** Another try of an event, or another event under the same key. */
  SentEvent again(SentEvent sent, int how) {
    SentEvent same =
        new SentEvent(
            sent.key(),
            sent.type(),
            sent.installation(),
            sent.number(),
            sent.odd(),
            how % 3 == 0,
            how % 9);
    return switch (how % 8) {
      case 0 -> of(same, SentEvent.TYPES.get(1 - SentEvent.TYPES.indexOf(sent.type())), 0, 0);
      case 1 -> of(same, sent.type(), 1, 0);
      case 2 -> of(same, sent.type(), 0, ++number);
      default -> same;
    };
  }

  private static SentEvent of(SentEvent sent, String type, int installations, int more) {
    return new SentEvent(
        sent.key(),
        type,
        sent.installation() + installations,
        more == 0 ? sent.number() : more,
        sent.odd(),
        sent.hasMeta(),
        sent.attempt());
  }

  private static String noise() {
    byte[] noise = new byte[450_000];
    new Random(1).nextBytes(noise);
    return Base64.getEncoder().encodeToString(noise);
  }
}
