package dev.connectorevents.functions.operators.restore;

import dev.connectorevents.erasure.RenumberedEvents;
import dev.connectorevents.erasure.RenumberedEvents.Renumbered;
import dev.connectorevents.event.EventOrder;
import dev.connectorevents.event.Sha256;
import dev.connectorevents.feed.Beat;
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
     * @param pause empty to go on at once
     */
    record Continues(int searched, int renumbered, FillPlace next, Optional<Wait> pause)
        implements Outcome {}

    /**
     * All is done.
     *
     * @param whole what the feed holds now; empty if nobody knows
     */
    record Ends(Optional<Whole> whole) implements Outcome {}

    record Refused(Fault fault) implements Outcome {}
  }

  /**
   * The feed has not come to a beat.
   *
   * @param until up to when it has all; empty if nobody knows
   * @param pause when to ask again
   */
  record Wait(Optional<Instant> until, Duration pause) {}

  /**
   * Makes one call. What was stored or renumbered about when the fill began, or later, is left
   * alone, whatever the time says: the stream hands it over.
   */
  Outcome fill(Instant from, Instant to, Optional<FillPlace> place) {
    if (place.isEmpty()) {
      return begin(Optional.empty());
    }
    return switch (place.get()) {
      case FillPlace.Before before -> {
        FeedBeats.Look look = beats.look(before.beat());
        Optional<Whole> whole = look.of(before.beat());
        // Kept: what is lost by now is then told from what is lost while this runs.
        yield whole.isPresent() && beats.keep(look)
            ? begun(from, to, before, whole.get())
            : waits(look.whole(), before, before.beat());
      }
      case FillPlace.In in -> search(from, to, in);
      case FillPlace.After after -> {
        FeedBeats.Look look = beats.look(after.beat());
        Optional<Whole> filled =
            look.of(after.beat()).map(whole -> whole.filled(from, to, after.since()));
        yield filled.isPresent() && beats.keep(look.read(), filled.get())
            ? new Outcome.Ends(filled)
            : waits(look.whole(), after, after.beat());
      }
    };
  }

  /** What an earlier call has ended. */
  Outcome ended() {
    return new Outcome.Ends(log.known());
  }

  /**
   * What comes later than a minute before a fill, the stream hands over: if it has lost nothing.
   */
  private Outcome begun(Instant from, Instant to, FillPlace.Before place, Whole whole) {
    Duration apart = FeedReader.CLOCKS.multipliedBy(2);
    if (whole.isSince(place.begun().minus(apart))) {
      return search(
          from, to, new FillPlace.In(place.begun(), whole.since(), whole.head(), Optional.empty()));
    }
    Instant earliest = whole.since().orElseThrow().plus(apart);
    return clock.instant().isBefore(earliest)
        ? waits(Optional.of(whole), place, place.beat())
        : begin(Optional.of(whole));
  }

  private Outcome begin(Optional<Whole> known) {
    Beat beat = beats.begin(0).beat();
    return waits(known, new FillPlace.Before(beat.at(), beat), beat);
  }

  private Outcome waits(Optional<Whole> known, FillPlace next, Beat beat) {
    return waits(0, 0, next, beat, known);
  }

  private Outcome waits(
      int searched, int renumbered, FillPlace next, Beat beat, Optional<Whole> known) {
    Wait wait = new Wait(known.map(Whole::until), beats.pause(beat.at()));
    return new Outcome.Continues(searched, renumbered, next, Optional.of(wait));
  }

  private Outcome search(Instant from, Instant to, FillPlace.In place) {
    Instant end = clock.instant().plus(RestoreEventsFunction.LONGEST_CALL);
    Instant begun = place.begun().minus(FeedReader.CLOCKS);
    Instant first = earliest(from).minus(FeedReader.CLOCKS);
    Instant last = to.isBefore(begun) ? to.plus(FeedReader.CLOCKS) : begun;
    Instant until = last.isBefore(begun) ? last : begun;
    Optional<long[]> known = known(first, until, place.head(), end);
    if (known.isEmpty()) {
      return new Outcome.Refused(TOO_MANY);
    }
    FillPlace.In next = place;
    int searched = 0;
    int renumbered = 0;
    do {
      Renumbered page =
          events.renumber(
              first,
              until,
              begun,
              version -> Arrays.binarySearch(known.get(), hash(version)) >= 0,
              next.after());
      searched += page.searched();
      renumbered += page.renumbered();
      if (page.next().isEmpty()) {
        Beat beat = beats.begin(0).beat(); // after the last write
        return waits(
            searched, renumbered, new FillPlace.After(place.since(), beat), beat, Optional.empty());
      }
      next = next.after(page.next().get());
    } while (clock.instant().isBefore(end));
    return new Outcome.Continues(searched, renumbered, next, Optional.empty());
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
