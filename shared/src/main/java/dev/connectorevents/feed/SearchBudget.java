package dev.connectorevents.feed;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** How much of the feed the search for one page may still look at. */
final class SearchBudget {

  private static final int MOST_ENTRIES = 20_000;

  /** As {@link #MOST_ENTRIES}, in bytes of the store. */
  private static final long MOST_BYTES = 1 << 20;

  /** A search looks at no further segments after this time. */
  private static final Duration LONGEST = Duration.ofSeconds(2);

  /** After segments without any match, the next read has so many times as many. */
  private static final int GROWTH = 8;

  private final InstantSource clock;
  private final Instant end;
  private int entries = MOST_ENTRIES;
  private long bytes;
  private int segments;

  SearchBudget(InstantSource clock) {
    this.clock = clock;
    this.end = clock.instant().plus(LONGEST);
  }

  boolean hasEntry() {
    return entries > 0;
  }

  void takeEntry() {
    entries--;
  }

  void take(Segment segment) {
    segments++;
    bytes += segment.size();
  }

  boolean isSpent() {
    return bytes >= MOST_BYTES || !clock.instant().isBefore(end);
  }

  /**
   * How many segments to read next, by what those that were read had.
   *
   * @param found how many entries they had
   * @param missing how many further entries the page takes
   */
  int next(int found, int missing) {
    long wanted =
        found == 0
            ? (long) segments * GROWTH
            : Math.ceilDiv((long) missing * segments, (long) found);
    long allowed = Math.ceilDiv((MOST_BYTES - bytes) * segments, bytes); // at this size of each
    // One more tells since when the entry after a full page is unread.
    return (int) Math.min(wanted + 1, allowed);
  }
}
