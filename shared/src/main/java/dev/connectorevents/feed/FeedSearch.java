package dev.connectorevents.feed;

import dev.connectorevents.event.EventOrder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The search for the entries of one page: where it stands, and what it has found. */
final class FeedSearch {

  private final FeedSegments segments;
  private final EventOrder order;
  private final FeedReader.Bounds bounds;
  private final Predicate<Segment.Placed> passes;
  private final int limit;
  private final SearchBudget budget;
  private final List<Segment.Placed> found = new ArrayList<>();
  private long next;
  private boolean isOver;

  FeedSearch(
      FeedSegments segments,
      EventOrder order,
      FeedReader.Bounds bounds,
      Predicate<Segment.Placed> passes,
      int limit,
      SearchBudget budget) {
    this.segments = segments;
    this.order = order;
    this.bounds = bounds;
    this.passes = passes;
    this.limit = limit;
    this.budget = budget;
  }

  FeedReader.Found from(long begin) {
    next =
        switch (order) {
          case ASC -> begin;
          case DESC -> Math.min(begin, segments.head());
        };
    List<Segment> read = first();
    while (takeAll(read)) {
      read = further();
    }
    return new FeedReader.Found(
        found, order.before(next), isOver || isAtEnd(), unreadAt(read), segments.last());
  }

  /** The segment at which the search begins. */
  private List<Segment> first() {
    List<Segment> read = isAtEnd() ? List.of() : segments.at(next);
    if (read.isEmpty() || !bounds.areAhead(read.getFirst(), order)) {
      return read;
    }
    next =
        switch (order) {
          case ASC ->
              Math.min(segments.positionBefore(bounds.from().orElseThrow()), bounds.until()) + 1;
          case DESC -> segments.positionBefore(bounds.to().orElseThrow());
        };
    return isAtEnd() ? List.of() : segments.at(next);
  }

  /** The segments to which the search comes next; none at its end. */
  private List<Segment> further() {
    return isAtEnd()
        ? List.of()
        : segments.further(order, next, budget.next(found.size(), limit - found.size()));
  }

  /** Whether no position is left that a page of these bounds may look at. */
  private boolean isAtEnd() {
    return switch (order) {
      case ASC -> next > bounds.until();
      case DESC -> next < 1;
    };
  }

  /** Returns whether the search goes on. */
  private boolean takeAll(List<Segment> read) {
    for (Segment segment : read) {
      if (!take(segment)) {
        return false;
      }
    }
    return !read.isEmpty() && found.size() < limit && !budget.isSpent();
  }

  private boolean take(Segment segment) {
    if (isAtEnd()) {
      return false;
    }
    FeedSegments.requireNoGap(segment, next);
    if (bounds.arePassed(segment, order)) {
      isOver = true;
      return false;
    }
    Iterator<Segment.Placed> entries = segment.from(next, order).iterator();
    while (entries.hasNext() && !isAtEnd()) {
      Segment.Placed placed = entries.next();
      boolean isWanted = passes.test(placed);
      if (!budget.hasEntry() || (isWanted && found.size() == limit)) {
        return false;
      }
      budget.takeEntry();
      next = order.after(next);
      if (isWanted) {
        found.add(placed);
      }
    }
    budget.take(segment);
    return true;
  }

  private Optional<Instant> unreadAt(List<Segment> read) {
    return order == EventOrder.DESC
        ? Optional.empty()
        : read.stream()
            .filter(segment -> segment.holds(next))
            .findFirst()
            .or(() -> segments.at(next).stream().findFirst())
            .map(Segment::at);
  }
}
