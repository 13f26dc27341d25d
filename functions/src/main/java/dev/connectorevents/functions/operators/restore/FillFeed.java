package dev.connectorevents.functions.operators.restore;

import dev.connectorevents.erasure.RenumberedEvents;
import dev.connectorevents.erasure.RenumberedEvents.Renumbered;
import dev.connectorevents.event.EventIds;
import dev.connectorevents.event.EventOrder;
import dev.connectorevents.event.Marks;
import dev.connectorevents.event.Sha256;
import dev.connectorevents.feed.FeedEntry;
import dev.connectorevents.feed.FeedLog;
import dev.connectorevents.feed.FeedMarks;
import dev.connectorevents.feed.FeedReader;
import dev.connectorevents.feed.ItemVersion;
import dev.connectorevents.feed.Segment;
import dev.connectorevents.http.Fault;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.LongStream;

/**
 * Brings back to the feed what it lacks of a time, call by call. It numbers nothing itself: it
 * gives an event or a tombstone a {@code renumbered_at}, and the table's stream does the rest. A
 * call may be repeated, and so may all.
 */
final class FillFeed {

  /** The most entries of the feed that a call compares with: 8 bytes each, three times. */
  static final int MOST_KNOWN = 5_000_000;

  private static final Fault TOO_MANY =
      new Fault("/fill", "a shorter or a later time: a call cannot compare with so many entries");

  private final RenumberedEvents events;
  private final FeedLog log;
  private final FeedMarks marks;
  private final FeedReader feed;
  private final EventIds newIds;
  private final InstantSource clock;
  private final int mostKnown;

  /**
   * @param newIds name the marks
   * @param mostKnown the most entries of the feed that a call compares with
   */
  FillFeed(
      RenumberedEvents events,
      FeedLog log,
      FeedMarks marks,
      EventIds newIds,
      InstantSource clock,
      int mostKnown) {
    this.events = events;
    this.log = log;
    this.marks = marks;
    this.feed = new FeedReader(log, clock);
    this.newIds = newIds;
    this.clock = clock;
    this.mostKnown = mostKnown;
  }

  /** How one call ended. */
  sealed interface Outcome {

    /**
     * It has searched.
     *
     * @param searched how many events and tombstones of the time it has looked at
     * @param renumbered how many of them the feed lacked
     * @param next empty at the end
     */
    record Done(int searched, int renumbered, Optional<FillPlace> next) implements Outcome {

      static final Done NOTHING = new Done(0, 0, Optional.empty());
    }

    /**
     * The feed has not come to the marks.
     *
     * @param pause when to ask again
     */
    record Waits(FillPlace next, Duration pause) implements Outcome {}

    /** The stream has lost the marks. */
    record FeedLostRecords() implements Outcome {}

    record Refused(Fault fault) implements Outcome {}
  }

  /**
   * Makes one call. What was stored or renumbered about when the fill began, or later, is left
   * alone, whatever the time says: the stream hands it over.
   */
  Outcome fill(Instant from, Instant to, Optional<FillPlace> place) {
    if (place.isEmpty()) {
      UUID run = newIds.next();
      Marks written = marks.begin(run);
      FillPlace first = new FillPlace(run, written.at(), written, Optional.empty());
      return new Outcome.Waits(first, marks.pause(written));
    }
    FillPlace next = place.get();
    return switch (marks.look(next.marksOf(), next.marks())) {
      case FeedMarks.Look.Lost() -> new Outcome.FeedLostRecords();
      case FeedMarks.Look.NotYet(Marks written) ->
          new Outcome.Waits(next.with(written), marks.pause(written));
      case FeedMarks.Look.AllNoted(Marks noted) -> fill(from, to, next.with(noted));
    };
  }

  private Outcome fill(Instant from, Instant to, FillPlace place) {
    Instant end = clock.instant().plus(RestoreEventsFunction.LONGEST_CALL);
    Instant begun = place.begun().minus(FeedReader.CLOCKS);
    Instant until = to.isBefore(begun) ? to : begun;
    Optional<long[]> known = known(from, until, place.marks().noted().orElseThrow().head(), end);
    if (known.isEmpty()) {
      return new Outcome.Refused(TOO_MANY);
    }
    FillPlace next = place;
    int searched = 0;
    int renumbered = 0;
    do {
      Renumbered page =
          events.renumber(
              from,
              until,
              begun,
              version -> Arrays.binarySearch(known.get(), hash(version)) >= 0,
              next.after());
      searched += page.searched();
      renumbered += page.renumbered();
      if (page.next().isEmpty()) {
        return new Outcome.Done(searched, renumbered, Optional.empty());
      }
      next = next.after(page.next().get());
    } while (clock.instant().isBefore(end));
    return new Outcome.Done(searched, renumbered, Optional.of(next));
  }

  /**
   * The hashes of what the feed had of a time when the fill began, sorted; empty if they are too
   * many, or take until the end of the call.
   */
  private Optional<long[]> known(Instant from, Instant to, long head, Instant end) {
    LongStream.Builder known = LongStream.builder();
    int count = 0;
    // The head may be of an earlier feed.
    long last = Math.min(head, log.last().map(Segment::last).orElse(0L));
    long next = feed.positionBeforeCreated(from) + 1;
    while (next <= last) {
      FeedReader.Found found =
          feed.find(
              EventOrder.ASC,
              next,
              FeedReader.Bounds.NONE,
              placed -> isOf(placed.entry(), from, to),
              Integer.MAX_VALUE);
      for (Segment.Placed placed : found.entries()) {
        known.add(hash(placed.entry().version()));
      }
      count += found.entries().size();
      if (count > mostKnown || !clock.instant().isBefore(end)) {
        return Optional.empty();
      }
      next = found.judged() + 1;
    }
    return Optional.of(known.build().sorted().toArray());
  }

  private static boolean isOf(FeedEntry entry, Instant from, Instant to) {
    Instant at = entry.version().at();
    return !at.isBefore(from) && at.isBefore(to);
  }

  /**
   * 64 bits: of the most entries, one in millions of millions of searches would mistake another.
   */
  private static long hash(ItemVersion version) {
    ByteBuffer bytes =
        ByteBuffer.allocate(4 * Long.BYTES)
            .putLong(version.id().getMostSignificantBits())
            .putLong(version.id().getLeastSignificantBits())
            .putLong(version.at().toEpochMilli())
            .putLong(version.renumberedAt().map(Instant::toEpochMilli).orElse(-1L));
    return ByteBuffer.wrap(Sha256.of(bytes.array())).getLong();
  }
}
