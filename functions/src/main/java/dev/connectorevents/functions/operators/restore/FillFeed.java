package dev.connectorevents.functions.operators.restore;

import dev.connectorevents.erasure.RenumberedEvents;
import dev.connectorevents.erasure.RenumberedEvents.Renumbered;
import dev.connectorevents.event.EventOrder;
import dev.connectorevents.event.Sha256;
import dev.connectorevents.feed.FeedBeats;
import dev.connectorevents.feed.FeedEntry;
import dev.connectorevents.feed.FeedReader;
import dev.connectorevents.feed.ItemVersion;
import dev.connectorevents.feed.Segment;
import dev.connectorevents.feed.Whole;
import dev.connectorevents.feed.WholeFeed;
import dev.connectorevents.http.Fault;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;

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
  private final WholeFeed log;
  private final FeedBeats beats;
  private final FeedReader feed;
  private final InstantSource clock;
  private final int mostKnown;

  /**
   * @param mostKnown the most entries of the feed that a call compares with
   */
  FillFeed(
      RenumberedEvents events, WholeFeed log, FeedBeats beats, InstantSource clock, int mostKnown) {
    this.events = events;
    this.log = log;
    this.beats = beats;
    this.feed = new FeedReader(log, clock);
    this.clock = clock;
    this.mostKnown = mostKnown;
  }

  /** How one call ended. */
  sealed interface Outcome {

    /**
     * There is more to do.
     *
     * @param searched how many events and tombstones of the time it has looked at
     * @param renumbered how many of them the feed lacked
     */
    record Continues(int searched, int renumbered, FillPlace next) implements Outcome {}

    /**
     * The feed must come to a beat first.
     *
     * @param until up to when it has all; empty if nobody knows
     * @param pause when to ask again
     */
    record Waits(Continues done, Optional<Instant> until, Duration pause) implements Outcome {}

    /**
     * All is done.
     *
     * @param whole what the feed holds now; empty if nobody knows
     */
    record Ends(Optional<Whole> whole) implements Outcome {}

    record Refused(Fault fault) implements Outcome {}
  }

  /**
   * Makes one call. What was stored or renumbered about when the fill began, or later, is left
   * alone, whatever the time says: the stream hands it over.
   */
  Outcome fill(Instant from, Instant to, Optional<FillPlace> place) {
    if (place.isEmpty() || place.get().phase() == FillPlace.Phase.SEARCH) {
      return place.map(it -> search(from, to, it)).orElseGet(this::begin);
    }
    FeedBeats.Look look = beats.look(place.get().beat());
    Optional<Whole> whole = look.of(place.get().beat());
    if (place.get().phase() == FillPlace.Phase.AFTER) {
      whole = whole.map(it -> it.filled(from, to, place.get().since()));
    }
    // What is lost by now is kept: so it is told from what is lost while the fill runs.
    if (whole.isEmpty() || !beats.keep(look.read(), whole.get())) {
      return waits(place.get(), look.whole());
    }
    return place.get().phase() == FillPlace.Phase.AFTER
        ? new Outcome.Ends(whole)
        : begun(from, to, place.get(), whole.get());
  }

  /** What an earlier call has ended. */
  Outcome ended() {
    return new Outcome.Ends(log.known());
  }

  private Outcome begin() {
    return waits(FillPlace.before(beats.begin(0).beat()), Optional.empty());
  }

  private Outcome waits(FillPlace next, Optional<Whole> known) {
    return waits(new Outcome.Continues(0, 0, next), known);
  }

  private Outcome waits(Outcome.Continues done, Optional<Whole> known) {
    return new Outcome.Waits(done, known.map(Whole::until), beats.pause(done.next().beat().at()));
  }

  /** What comes later than a minute before its beginning, the stream hands over: all of it? */
  private Outcome begun(Instant from, Instant to, FillPlace place, Whole whole) {
    Duration apart = FeedReader.CLOCKS.multipliedBy(2);
    if (whole.isSince(place.beat().at().minus(apart))) {
      return search(
          from,
          to,
          new FillPlace(
              FillPlace.Phase.SEARCH, place.beat(), whole.since(), whole.head(), Optional.empty()));
    }
    boolean isEarly = clock.instant().isBefore(whole.since().orElseThrow().plus(apart));
    return isEarly ? waits(place, Optional.of(whole)) : begin();
  }

  private Outcome search(Instant from, Instant to, FillPlace place) {
    Instant end = clock.instant().plus(RestoreEventsFunction.LONGEST_CALL);
    Instant begun = place.beat().at().minus(FeedReader.CLOCKS);
    Instant first = earliest(from).minus(FeedReader.CLOCKS);
    Instant last = to.isBefore(begun) ? to.plus(FeedReader.CLOCKS) : begun;
    Instant until = last.isBefore(begun) ? last : begun;
    Optional<long[]> known = known(first, until, place.head(), end);
    if (known.isEmpty()) {
      return new Outcome.Refused(TOO_MANY);
    }
    Outcome.Continues done = new Outcome.Continues(0, 0, place);
    do {
      Renumbered page =
          events.renumber(
              first,
              until,
              begun,
              version -> Arrays.binarySearch(known.get(), hash(version)) >= 0,
              done.next().after());
      FillPlace next =
          page.next()
              .map(done.next()::searched)
              .orElseGet(() -> place.after(beats.begin(0).beat())); // of all writes
      done =
          new Outcome.Continues(
              done.searched() + page.searched(), done.renumbered() + page.renumbered(), next);
      if (page.next().isEmpty()) {
        return waits(done, Optional.empty());
      }
    } while (clock.instant().isBefore(end));
    return done;
  }

  /** A minute before, there is still a year of four digits. */
  private static Instant earliest(Instant from) {
    return from.isBefore(Instant.EPOCH) ? Instant.EPOCH : from;
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
    return Stream.concat(Stream.of(entry.version().at()), entry.version().renumberedAt().stream())
        .anyMatch(at -> !at.isBefore(from) && at.isBefore(to));
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
