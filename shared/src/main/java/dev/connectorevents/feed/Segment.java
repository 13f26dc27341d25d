package dev.connectorevents.feed;

import dev.connectorevents.event.EventOrder;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Some successive entries of the feed, which got their positions together.
 *
 * @param feed the name of the feed, 8 hexadecimal digits: a feed that is made anew has another one
 * @param first the position of the first entry, from 1
 * @param at when the entries got their positions, in whole milliseconds; never before the segment
 *     before
 * @param entries 1 to {@value #MOST_ENTRIES}
 */
public record Segment(String feed, long first, Instant at, List<FeedEntry> entries) {

  /**
   * The most entries of a segment. With types of the greatest length they still fit into an item of
   * DynamoDB.
   */
  public static final int MOST_ENTRIES = 1_000;

  /** About so many bytes are stored of a segment, and of each entry. */
  private static final int BYTES = 150;

  private static final int BYTES_OF_ENTRY = 35;

  public Segment {
    entries = List.copyOf(entries);
    if (entries.isEmpty() || entries.size() > MOST_ENTRIES || first < 1) {
      throw new IllegalArgumentException(entries.size() + " entries at " + first);
    }
  }

  /**
   * An entry with its position.
   *
   * @param at when it got the position
   */
  public record Placed(long position, FeedEntry entry, Instant at) {}

  /** The position of the last entry. */
  public long last() {
    return first + entries.size() - 1;
  }

  public boolean holds(long position) {
    return first <= position && position <= last();
  }

  /** The entries from a position on, in this order. */
  Stream<Placed> from(long position, EventOrder order) {
    LongStream positions =
        switch (order) {
          case ASC -> LongStream.rangeClosed(position, last());
          case DESC -> LongStream.iterate(position, it -> it >= first, it -> it - 1);
        };
    return positions.mapToObj(it -> new Placed(it, entries.get((int) (it - first)), at));
  }

  /** About how many bytes it takes in the store. */
  long size() {
    return BYTES + (long) entries.size() * BYTES_OF_ENTRY;
  }
}
