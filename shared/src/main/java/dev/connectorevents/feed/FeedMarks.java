package dev.connectorevents.feed;

import dev.connectorevents.event.Marks;
import dev.connectorevents.event.Marks.Noted;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Tells whether the feed has all that was stored before a moment. It writes marks beside the
 * events. A shard's marks are noted once all that the shard had before them has its positions. So
 * when all marks are noted, the head of the feed is at or past all that was stored before.
 *
 * <p>This assumes that a shard hands over in the order of acknowledgement, that a parent shard ends
 * before its children begin, and that each shard has a mark. {@code docs/only-aws.md} has these
 * assumptions.
 */
public final class FeedMarks {

  /** The first marks. With four shards, one of them lacks a mark once in 25 million runs. */
  private static final int FIRST = 64;

  /** The least marks for each shard that notes name. */
  private static final int OF_A_SHARD = 16;

  /** A stream keeps its records for 24 hours. Marks that are not noted by now will never be. */
  private static final Duration LOST_AFTER = Duration.ofHours(20);

  /** How long marks, and their notes, are kept. */
  public static final Duration KEPT = Duration.ofDays(1);

  /** The longest time until it is worth to look again. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

  /** What {@link Look.Lost} means, and what helps. */
  public static final String LOST =
      "Marks were not noted in %d hours: the feed has lost records. Fill the feed; to erase at once, use scan."
          .formatted(LOST_AFTER.toHours());

  private final StreamMarks stream;
  private final FeedLog log;
  private final InstantSource clock;

  public FeedMarks(StreamMarks stream, FeedLog log, InstantSource clock) {
    this.stream = stream;
    this.log = log;
    this.clock = clock;
  }

  /** What a look at the notes has found. */
  public sealed interface Look {

    /** The feed has all that was stored before the first marks were written. */
    record AllNoted(Marks marks) implements Look {}

    /** The feed is not so far. */
    record NotYet(Marks marks) implements Look {}

    /** The stream has lost marks, and so what was stored with them. */
    record Lost() implements Look {}
  }

  /** Writes the first marks of a run. */
  public Marks begin(UUID run) {
    return put(run, 1, FIRST);
  }

  /** Looks whether the marks are noted, and writes more if they came from many shards. */
  public Look look(UUID run, Marks marks) {
    if (marks.noted().isPresent()) {
      return new Look.AllNoted(marks);
    }
    Map<Integer, String> shards = log.notes(run); // the head is read after the notes
    if (shards.size() < marks.written()) {
      boolean isLost = !clock.instant().isBefore(marks.at().plus(LOST_AFTER));
      return isLost ? new Look.Lost() : new Look.NotYet(marks);
    }
    int used = new HashSet<>(shards.values()).size();
    if (used * OF_A_SHARD > marks.written()) {
      return new Look.NotYet(put(run, marks.written() + 1, used * OF_A_SHARD));
    }
    Noted noted = new Noted(used, log.last().map(Segment::last).orElse(0L));
    return new Look.AllNoted(new Marks(marks.written(), marks.at(), Optional.of(noted)));
  }

  private Marks put(UUID run, int first, int last) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    stream.put(run, first, last, now.plus(KEPT));
    return new Marks(last, now, Optional.empty());
  }

  /** When to look again: the longer the marks wait, the later. */
  public Duration pause(Marks marks) {
    Duration half = Duration.between(marks.at(), clock.instant()).dividedBy(2);
    return half.compareTo(LONGEST_WAIT) > 0
        ? LONGEST_WAIT
        : half.plusSeconds(1).truncatedTo(ChronoUnit.SECONDS);
  }
}
