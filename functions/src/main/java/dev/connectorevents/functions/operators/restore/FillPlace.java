package dev.connectorevents.functions.operators.restore;

import dev.connectorevents.feed.Beat;
import java.time.Instant;
import java.util.Optional;

/**
 * Where a call of a fill goes on.
 *
 * @param beat the one to which the feed must come; in the search, that with which the fill began
 * @param since from when on the feed had all when the fill began; empty if all there ever was
 * @param head the last position that the feed had then
 * @param after the last id that was searched; empty at the beginning
 */
record FillPlace(
    Phase phase, Beat beat, Optional<Instant> since, long head, Optional<String> after) {

  private static final String NONE = "-";

  enum Phase {
    /** The fill waits until the feed has come to the time at which it began. */
    BEFORE,

    SEARCH,

    /** The search is done. The fill waits until the feed has all that it has written. */
    AFTER
  }

  static FillPlace before(Beat beat) {
    return new FillPlace(Phase.BEFORE, beat, Optional.empty(), 0, Optional.empty());
  }

  FillPlace after(Beat last) {
    return new FillPlace(Phase.AFTER, last, since, head, Optional.empty());
  }

  FillPlace searched(String id) {
    return new FillPlace(phase, beat, since, head, Optional.of(id));
  }

  /** As the ledger keeps it. */
  String text() {
    return String.join(
        " ",
        phase.name(),
        Long.toString(beat.number()),
        beat.at().toString(),
        Integer.toString(beat.marks()),
        since.map(Instant::toString).orElse(NONE),
        Long.toString(head),
        after.orElse(NONE));
  }

  static FillPlace of(String text) {
    String[] parts = text.split(" ", -1);
    return new FillPlace(
        Phase.valueOf(parts[0]),
        new Beat(Long.parseLong(parts[1]), Instant.parse(parts[2]), Integer.parseInt(parts[3])),
        given(parts[4]).map(Instant::parse),
        Long.parseLong(parts[5]),
        given(parts[6]));
  }

  private static Optional<String> given(String part) {
    return Optional.of(part).filter(it -> !it.equals(NONE));
  }
}
