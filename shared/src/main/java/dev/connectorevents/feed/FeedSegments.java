package dev.connectorevents.feed;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.event.EventOrder;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The segments of the feed as it was at one moment.
 *
 * @param last the last segment then; empty while no position was given
 */
record FeedSegments(FeedLog log, Optional<Segment> last) {

  static FeedSegments now(FeedLog log) {
    return new FeedSegments(log, log.last());
  }

  /** The last position; 0 while none was given. */
  long head() {
    return last.map(Segment::last).orElse(0L);
  }

  /** The segment that holds a position; none if the feed does not have it. */
  List<Segment> at(long position) {
    return position < 1 || position > head()
        ? List.of()
        : List.of(last.filter(it -> it.holds(position)).orElseGet(() -> holding(position)));
  }

  /**
   * The segments to which a reader comes at a position.
   *
   * @param most the store may return fewer; none only if there are none
   */
  List<Segment> further(EventOrder order, long position, int most) {
    if (position < 1 || position > head()) {
      return List.of();
    }
    return switch (order) {
      case ASC -> log.forward(position, most).stream().filter(it -> it.first() <= head()).toList();
      case DESC -> log.backward(position, most);
    };
  }

  /** The last position that was given before a time; 0 if there is none. */
  long positionBefore(Instant time) {
    if (last.isEmpty() || last.get().at().isBefore(time)) {
      return head();
    }
    long before = 0; // was given before the time
    long first = last.get().first(); // begins a segment that was not
    while (before + 1 < first) {
      Segment segment = holding(before + (first - before) / 2);
      if (segment.at().isBefore(time)) {
        before = segment.last();
      } else {
        first = segment.first();
      }
    }
    return first - 1;
  }

  private Segment holding(long position) {
    return log.backward(position, 1).stream()
        .filter(segment -> segment.holds(position))
        .findFirst()
        .orElseThrow(() -> gap(position));
  }

  /** To go past a gap would lose events for ever. */
  static void requireNoGap(Segment segment, long next) {
    if (!segment.holds(next)) {
      throw gap(next);
    }
  }

  private static DependencyUnavailableException gap(long position) {
    return new DependencyUnavailableException("the feed has a gap at position " + position);
  }
}
