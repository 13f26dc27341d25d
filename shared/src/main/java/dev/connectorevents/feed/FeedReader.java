package dev.connectorevents.feed;

import dev.connectorevents.event.EventOrder;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Finds entries of the feed, page by page, and the position of a time. */
public final class FeedReader {

  /** The clocks of two machines differ by so much, at the most. */
  public static final Duration CLOCKS = Duration.ofMinutes(1);

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
   * @param isOver whether the page came to the end of its bounds, or to the first position
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
   * What entries are wanted.
   *
   * @param from the earliest time of the position, included
   * @param to the latest time, excluded; only newest first: no clock says when nothing more comes
   * @param until the last position, oldest first
   */
  public record Bounds(Optional<Instant> from, Optional<Instant> to, long until) {

    public static final Bounds NONE =
        new Bounds(Optional.empty(), Optional.empty(), Long.MAX_VALUE);

    /** Whether a reader who comes to this segment has not come to the wanted times yet. */
    boolean areAhead(Segment segment, EventOrder order) {
      return order == EventOrder.ASC ? beginAfter(segment) : endBefore(segment);
    }

    /** Whether a reader who comes to this segment has passed the wanted times. */
    boolean arePassed(Segment segment, EventOrder order) {
      return order == EventOrder.DESC && beginAfter(segment);
    }

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
   * @param limit the most entries to find
   */
  public Found find(
      EventOrder order, long begin, Bounds bounds, Predicate<Segment.Placed> passes, int limit) {
    return new FeedSearch(
            FeedSegments.now(log), order, bounds, passes, limit, new SearchBudget(clock))
        .from(begin);
  }

  /**
   * A position that was given before anything was created at a time or later; 0 if there is none.
   */
  public long positionBeforeCreated(Instant time) {
    return FeedSegments.now(log).positionBefore(time.minus(CLOCKS));
  }
}
