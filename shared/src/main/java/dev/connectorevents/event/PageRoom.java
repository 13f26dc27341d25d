package dev.connectorevents.event;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** How much a page of a list may still show, and how long it may still read. */
public final class PageRoom {

  /** The most bytes of a page's entries, as {@link ListEntry#size} counts them. */
  public static final long BYTES = 4 * 1024 * 1024;

  /** A page shows no more than what it has read after this time. */
  private static final Duration LONGEST = Duration.ofSeconds(5);

  /**
   * A page ends when it has unpacked so many characters. Payloads that are too large for any page
   * are unpacked as well: a hundred of them would take seconds.
   */
  private static final long MOST_UNPACKED = 16 * BYTES;

  private final InstantSource clock;
  private final Instant end;
  private long bytes = BYTES;
  private long unpacked;

  /** The room of a page that begins now. */
  public PageRoom(InstantSource clock) {
    this.clock = clock;
    this.end = clock.instant().plus(LONGEST);
  }

  public boolean isTimeUp() {
    return !clock.instant().isBefore(end);
  }

  /** Counts a payload that was unpacked, whether or not it is shown. */
  public void unpack(String payload) {
    unpacked += payload.length();
  }

  /** Takes the room of an entry; returns false if there is none: the page ends before it. */
  public boolean take(ListEntry entry) {
    bytes -= entry.size();
    return bytes >= 0 && unpacked <= MOST_UNPACKED;
  }

  /** How many further entries there may be room for, by the size of those that were taken. */
  public long further(int taken) {
    return bytes * taken / Math.max(BYTES - bytes, 1);
  }
}
