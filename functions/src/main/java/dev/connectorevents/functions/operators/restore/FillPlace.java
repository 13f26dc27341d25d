package dev.connectorevents.functions.operators.restore;

import dev.connectorevents.feed.Beat;
import java.time.Instant;
import java.util.Optional;

/** Where a call of a fill goes on. */
sealed interface FillPlace {

  String NONE = "-";

  /**
   * Before the search: the feed must come to a beat that began with the fill.
   *
   * @param begun when the fill began, in whole milliseconds
   */
  record Before(Instant begun, Beat beat) implements FillPlace {}

  /**
   * In the search.
   *
   * @param since from when on the feed had all when the fill began; empty if all there ever was
   * @param head the last position that the feed had then
   * @param after the last id that was searched; empty at the beginning
   */
  record In(Instant begun, Optional<Instant> since, long head, Optional<String> after)
      implements FillPlace {

    In after(String id) {
      return new In(begun, since, head, Optional.of(id));
    }
  }

  /** After the search: the feed must come to a beat that began after the last write. */
  record After(Optional<Instant> since, Beat beat) implements FillPlace {}

  /** As the ledger keeps it. */
  default String text() {
    return switch (this) {
      case Before(Instant begun, Beat beat) -> "before " + begun + " " + text(beat);
      case In(Instant begun, Optional<Instant> since, long head, Optional<String> after) ->
          "in %s %s %d %s"
              .formatted(
                  begun, since.map(Instant::toString).orElse(NONE), head, after.orElse(NONE));
      case After(Optional<Instant> since, Beat beat) ->
          "after " + since.map(Instant::toString).orElse(NONE) + " " + text(beat);
    };
  }

  private static String text(Beat beat) {
    return beat.number() + " " + beat.at() + " " + beat.marks();
  }

  static FillPlace of(String text) {
    String[] parts = text.split(" ", -1);
    return switch (parts[0]) {
      case "before" -> new Before(Instant.parse(parts[1]), beat(parts));
      case "in" ->
          new In(
              Instant.parse(parts[1]),
              given(parts[2]).map(Instant::parse),
              Long.parseLong(parts[3]),
              given(parts[4]));
      case "after" -> new After(given(parts[1]).map(Instant::parse), beat(parts));
      default -> throw new IllegalArgumentException(text);
    };
  }

  private static Beat beat(String[] parts) {
    return new Beat(Long.parseLong(parts[2]), Instant.parse(parts[3]), Integer.parseInt(parts[4]));
  }

  private static Optional<String> given(String part) {
    return Optional.of(part).filter(it -> !it.equals(NONE));
  }
}
