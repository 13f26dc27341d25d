package dev.connectorevents.acceptance.oracle;

import dev.connectorevents.acceptance.service.Texts;
import java.util.Optional;

/** Writes the events that a walk sends. Each new one has another number. */
final class SentTexts {

  private static final String NOISE = Texts.noise(450_000);

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
      default -> Step.any(what, Texts.ODD);
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
}
