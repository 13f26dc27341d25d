package dev.connectorevents.functions.numberevents;

import dev.connectorevents.feed.FeedAppends;
import dev.connectorevents.feed.FeedEntry;
import dev.connectorevents.feed.MarkNote;
import dev.connectorevents.feed.Segment;
import dev.connectorevents.feed.SequenceNumber;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Appends what a shard of the stream has handed over to the feed.
 *
 * <p>One transaction writes a segment, at the position after the last one, and moves the shard's
 * progress. It succeeds only if nobody has done either since both were read. So positions have no
 * gap, no two writers give the same one, and what is handed over again is left out. It needs no
 * lock and no counter, and the clocks of writers may differ.
 */
final class NumberEvents {

  /**
   * The longest wait after the first conflict with another writer; doubled with each further one.
   */
  private static final Duration BACKOFF = Duration.ofMillis(20);

  private static final int MOST_DOUBLINGS = 6;

  private final FeedAppends feed;
  private final RandomGenerator random;
  private final InstantSource clock;
  private final Consumer<Duration> waiting;

  /**
   * @param waiting waits for the given time
   */
  NumberEvents(
      FeedAppends feed, RandomGenerator random, InstantSource clock, Consumer<Duration> waiting) {
    this.feed = feed;
    this.random = random;
    this.clock = clock;
    this.waiting = waiting;
  }

  /** An entry, and the number of its record in the shard. */
  record Numberable(SequenceNumber number, FeedEntry entry) {}

  /**
   * What was appended.
   *
   * @param first the position of the first entry; empty if all had their positions
   * @param conflicts how often another writer was faster
   */
  record Numbered(int entries, Optional<Long> first, int conflicts) {}

  /**
   * Gives positions to those that have none.
   *
   * @param all in the order of the shard
   */
  Numbered number(String shard, List<Numberable> all) {
    List<Numberable> left = all;
    int entries = 0;
    Optional<Long> first = Optional.empty();
    int conflicts = 0;
    while (!left.isEmpty()) {
      FeedAppends.Tail tail = feed.tail(shard);
      left = after(tail.progress(), left);
      if (left.isEmpty()) {
        break;
      }
      List<Numberable> next = left.stream().limit(Segment.MOST_ENTRIES).toList();
      Segment segment = segment(tail.last(), next);
      if (feed.append(shard, tail, segment, next.getLast().number())) {
        left = left.subList(next.size(), left.size());
        entries += next.size();
        first = first.or(() -> Optional.of(segment.first()));
      } else {
        long longest = BACKOFF.toNanos() << Math.min(conflicts, MOST_DOUBLINGS);
        waiting.accept(Duration.ofNanos(random.nextLong(longest)));
        conflicts++;
      }
    }
    return new Numbered(entries, first, conflicts);
  }

  /** Notes marks of a shard. Call it when all that the shard has before them is numbered. */
  void note(List<MarkNote> marks) {
    feed.note(marks);
  }

  private static List<Numberable> after(
      Optional<SequenceNumber> progress, List<Numberable> numberable) {
    return numberable.stream()
        .filter(it -> progress.map(done -> it.number().compareTo(done) > 0).orElse(true))
        .toList();
  }

  private Segment segment(Optional<Segment> last, List<Numberable> next) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    return new Segment(
        last.map(Segment::feed).orElseGet(this::newName),
        last.map(Segment::last).orElse(0L) + 1,
        last.map(Segment::at)
            .filter(now::isBefore)
            .orElse(now), // clocks differ, times never go back
        next.stream().map(Numberable::entry).toList());
  }

  private String newName() {
    return HexFormat.of().toHexDigits(random.nextInt());
  }
}
