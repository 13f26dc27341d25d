package dev.connectorevents.feed;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.event.EventOrder;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Finds entries of the feed, page by page, and the position of a time. */
public final class FeedReader {

  /** The most entries that a page looks at. */
  private static final int MOST_ENTRIES = 20_000;

  /** As {@link #MOST_ENTRIES}, in bytes of the store. */
  private static final long MOST_BYTES = 1 << 20;

  /** A page looks at no further segments after this time. */
  private static final Duration LONGEST_SEARCH = Duration.ofSeconds(2);

  /** After segments without any match, the next read has so many times as many. */
  private static final int GROWTH = 8;

  /** The clock that gives a position may be behind the one of the event by so much. */
  private static final Duration CLOCKS = Duration.ofMinutes(1);

  private final FeedLog log;
  private final InstantSource clock;

  public FeedReader(FeedLog log, InstantSource clock) {
    this.log = log;
    this.clock = clock;
  }

  /**
   * What a page has found.
   *
   * @param judged the last position that was looked at: all entries up to it that pass are here.
   *     The one before the start if there was none
   * @param isOver whether the page came to a segment outside of its times, or to the first position
   * @param unreadAt when the entry after {@code judged} got its position; empty if there is none,
   *     and newest first
   * @param last the last segment when the page was read; empty while no position was given
   */
  public record Found(
      List<Segment.Placed> entries,
      long judged,
      boolean isOver,
      Optional<Instant> unreadAt,
      Optional<Segment> last) {

    /** The last position of all; 0 while none was given. */
    public long head() {
      return last.map(Segment::last).orElse(0L);
    }
  }

  /**
   * The times of which entries are wanted.
   *
   * @param from the earliest time, included
   * @param to the latest time, excluded
   */
  public record Times(Optional<Instant> from, Optional<Instant> to) {

    public static final Times ALL = new Times(Optional.empty(), Optional.empty());

    private boolean endBefore(Segment segment) {
      return to.filter(time -> !segment.at().isBefore(time)).isPresent();
    }

    private boolean beginAfter(Segment segment) {
      return from.filter(time -> segment.at().isBefore(time)).isPresent();
    }
  }

  /**
   * The entries from a position on that pass. Goes no further than the feed did when the page was
   * asked for.
   *
   * @param begin where to begin: past the last position, a page oldest first finds nothing, and one
   *     newest first begins at the last
   * @param times leaves out entries that got their positions at another time
   * @param limit the most entries to find
   */
  public Found find(
      EventOrder order, long begin, Times times, Predicate<Segment.Placed> passes, int limit) {
    Instant latest = clock.instant().plus(LONGEST_SEARCH);
    Optional<Segment> last = log.last();
    long head = last.map(Segment::last).orElse(0L);
    List<Segment.Placed> found = new ArrayList<>();
    long next = order == EventOrder.ASC ? begin : Math.min(begin, head);
    int looked = 0;
    int segments = 0;
    long bytes = 0;
    List<Segment> read = at(next, last);
    if (!read.isEmpty() && isEarly(read.getFirst(), times, order)) {
      next = start(times, order, last);
      read = at(next, last);
    }
    while (!read.isEmpty()) {
      for (Segment segment : read) {
        requireNoGap(segment, next);
        if (isLate(segment, times, order)) {
          return new Found(
              found, before(next, order), true, unreadAt(next, order, read, last), last);
        }
        Iterator<Segment.Placed> entries = segment.from(next, order).iterator();
        while (entries.hasNext()) {
          Segment.Placed placed = entries.next();
          boolean isWanted = passes.test(placed);
          if (looked == MOST_ENTRIES || (isWanted && found.size() == limit)) {
            return new Found(
                found, before(next, order), false, unreadAt(next, order, read, last), last);
          }
          looked++;
          next = after(next, order);
          if (isWanted) {
            found.add(placed);
          }
        }
        segments++;
        bytes += segment.size();
      }
      if (found.size() == limit || bytes >= MOST_BYTES || !clock.instant().isBefore(latest)) {
        break;
      }
      long wanted =
          found.isEmpty()
              ? (long) segments * GROWTH
              : Math.ceilDiv((long) (limit - found.size()) * segments, found.size());
      long allowed = Math.ceilDiv((MOST_BYTES - bytes) * segments, bytes); // at this size of each
      // One more tells since when the entry after a full page is unread.
      read = further(order, next, head, (int) Math.min(wanted + 1, allowed));
    }
    return new Found(found, before(next, order), next < 1, unreadAt(next, order, read, last), last);
  }

  private Optional<Instant> unreadAt(
      long next, EventOrder order, List<Segment> read, Optional<Segment> last) {
    return order == EventOrder.DESC
        ? Optional.empty()
        : read.stream()
            .filter(segment -> segment.holds(next))
            .findFirst()
            .or(() -> at(next, last).stream().findFirst())
            .map(Segment::at);
  }

  /** The segment that holds a position; none if the feed does not have it. */
  private List<Segment> at(long position, Optional<Segment> last) {
    return position < 1 || last.filter(it -> position <= it.last()).isEmpty()
        ? List.of()
        : List.of(last.filter(it -> it.holds(position)).orElseGet(() -> holding(position)));
  }

  /** The next segments of a page; none at its end. */
  private List<Segment> further(EventOrder order, long next, long head, int most) {
    if (next < 1 || next > head) {
      return List.of();
    }
    return switch (order) {
      case ASC -> log.forward(next, most).stream().filter(it -> it.first() <= head).toList();
      case DESC -> log.backward(next, most);
    };
  }

  /** Whether a reader who comes to this segment has not come to the wanted times yet. */
  private static boolean isEarly(Segment segment, Times times, EventOrder order) {
    return switch (order) {
      case ASC -> times.beginAfter(segment);
      case DESC -> times.endBefore(segment);
    };
  }

  /** Whether a reader who comes to this segment has passed the wanted times. */
  private static boolean isLate(Segment segment, Times times, EventOrder order) {
    return switch (order) {
      case ASC -> times.endBefore(segment);
      case DESC -> times.beginAfter(segment);
    };
  }

  /** The first position of the wanted times to which a reader comes. */
  private long start(Times times, EventOrder order, Optional<Segment> last) {
    return switch (order) {
      case ASC -> positionBefore(times.from().orElseThrow(), last) + 1;
      case DESC -> positionBefore(times.to().orElseThrow(), last);
    };
  }

  /** To go past a gap would lose events for ever. */
  private static void requireNoGap(Segment segment, long next) {
    if (!segment.holds(next)) {
      throw gap(next);
    }
  }

  private Segment holding(long position) {
    return log.backward(position, 1).stream()
        .filter(segment -> segment.holds(position))
        .findFirst()
        .orElseThrow(() -> gap(position));
  }

  private static DependencyUnavailableException gap(long position) {
    return new DependencyUnavailableException("the feed has a gap at position " + position);
  }

  private static long after(long position, EventOrder order) {
    return order == EventOrder.ASC ? position + 1 : position - 1;
  }

  private static long before(long position, EventOrder order) {
    return order == EventOrder.ASC ? position - 1 : position + 1;
  }

  /**
   * A position that was given before anything was created at a time or later; 0 if there is none.
   */
  public long positionBeforeCreated(Instant time) {
    return positionBefore(time.minus(CLOCKS), log.last());
  }

  /** The last position that was given before a time; 0 if there is none. */
  private long positionBefore(Instant time, Optional<Segment> last) {
    if (last.isEmpty() || last.get().at().isBefore(time)) {
      return last.map(Segment::last).orElse(0L);
    }
    long before = 0; // was given before the time
    long first = last.get().first(); // begins a segment that was not
    while (before + 1 < first) {
      long middle = before + (first - before) / 2;
      Segment segment = holding(middle);
      if (segment.at().isBefore(time)) {
        before = segment.last();
      } else {
        first = segment.first();
      }
    }
    return first - 1;
  }
}
