package dev.connectorevents.feed;

import dev.connectorevents.DependencyUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Finds out what the feed holds. A beat writes marks beside the events, the same ones each time. A
 * shard's mark is noted once all that the shard had before it has its positions. So the feed has
 * all that was stored before the oldest beat that any mark's note names.
 *
 * <p>This assumes that a shard hands over in the order of acknowledgement, that a parent shard ends
 * before its children begin, and that each shard has a mark. {@code docs/only-aws.md} has these
 * assumptions.
 */
public final class FeedBeats {

  /** The fewest marks. With four shards, one of them lacks a mark once in 25 million feeds. */
  private static final int FEWEST = 64;

  /** The fewest marks of each shard that notes name. */
  private static final int OF_A_SHARD = 16;

  /** A shard with so small a part of the keys that it needs more cannot be waited for. */
  private static final int MOST = 10_000;

  /** The most segments in which a new feed's entries are looked for, in one read. */
  private static final int SEGMENTS = 1_000;

  private static final int MOST_READS = 10;

  /** How many numbers are left out: more beats than can begin before one of them is noted. */
  private static final int LEFT_OUT = 1_000_000;

  /** Tries to begin while others begin. */
  private static final int MOST_TRIES = 5;

  /** The longest time until it is worth to look again. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

  private final MarkedEvents events;
  private final WholeFeed feed;
  private final InstantSource clock;

  public FeedBeats(MarkedEvents events, WholeFeed feed, InstantSource clock) {
    this.events = events;
    this.feed = feed;
    this.clock = clock;
  }

  /**
   * What a look at the notes has found.
   *
   * @param read what was known before
   * @param whole what is known now; empty if nobody knows
   * @param marks how many marks a beat needs, so that each shard has enough; as many as it had if
   *     nobody knows
   */
  public record Look(Optional<Whole> read, Optional<Whole> whole, int marks) {

    /** What is known now, if all marks have come to a beat; else empty. */
    public Optional<Whole> of(Beat beat) {
      return whole.filter(it -> it.beat() >= beat.number());
    }
  }

  /**
   * Begins a beat.
   *
   * @param marks the fewest that it must have
   */
  public Awaited begin(int marks) {
    for (int i = 0; i < MOST_TRIES; i++) {
      Optional<Beat> last = events.last();
      Optional<Whole> known = feed.whole();
      Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
      int most = IntStream.of(FEWEST, marks, last.map(Beat::marks).orElse(0)).max().getAsInt();
      Beat next = new Beat(next(last, known), now, most);
      if (events.begin(last, next)) {
        events.mark(next);
        return new Awaited(next, known.flatMap(Whole::feed), known.map(Whole::stream));
      }
    }
    throw new DependencyUnavailableException("others begin beats again and again");
  }

  /**
   * The number of the next beat. It is greater than each known one, also where the marks come from
   * a restored table and have smaller numbers.
   */
  private long next(Optional<Beat> last, Optional<Whole> known) {
    long highest = Math.max(last.map(Beat::number).orElse(0L), known.map(Whole::beat).orElse(0L));
    if (last.isPresent()) {
      return highest + 1;
    }
    // Without the first mark, nobody knows the last number. The other marks may have that of a beat
    // for which somebody waits.
    long noted = feed.notes().stream().mapToLong(MarkNote::beat).max().orElse(0);
    return Math.max(highest, noted) == 0 ? 1 : Math.max(highest, noted) + LEFT_OUT;
  }

  /** Looks how far the feed has come. Writes nothing. */
  public Look look(Beat beat) {
    Optional<Whole> read = feed.whole();
    Map<Integer, MarkNote> notes =
        feed.notes().stream().collect(Collectors.toMap(MarkNote::mark, Function.identity()));
    Optional<Segment> last = feed.last(); // has all that the notes promise
    Instant now = clock.instant();
    Optional<Whole> known = read.filter(it -> it.isOf(last));
    boolean areAllNoted = IntStream.range(0, beat.marks()).allMatch(notes::containsKey);
    return areAllNoted
        ? new Look(
            read, whole(notes.values(), last, known, now).or(() -> known), needed(notes.values()))
        : new Look(read, known, beat.marks());
  }

  /**
   * Enough marks for the shard that has the fewest of them. While notes are of several beats, they
   * may name a shard that has ended.
   */
  private static int needed(Collection<MarkNote> notes) {
    long fewest = fewest(notes);
    boolean isOfOneBeat = notes.stream().map(MarkNote::beat).distinct().count() == 1;
    return isOfOneBeat && fewest < OF_A_SHARD
        ? (int) Math.min(MOST, Math.ceilDiv((long) notes.size() * OF_A_SHARD, fewest))
        : notes.size();
  }

  private static long fewest(Collection<MarkNote> notes) {
    Map<String, Long> ofShards =
        notes.stream().collect(Collectors.groupingBy(MarkNote::shard, Collectors.counting()));
    return Collections.min(ofShards.values());
  }

  /**
   * What the notes say; empty if they are of two streams, too few of a shard, or no later than what
   * is known.
   */
  private Optional<Whole> whole(
      Collection<MarkNote> notes, Optional<Segment> last, Optional<Whole> known, Instant now) {
    MarkNote oldest = notes.stream().min(Comparator.comparing(MarkNote::at)).get();
    Whole next =
        new Whole(
            last.map(Segment::feed),
            oldest.stream(),
            notes.stream().mapToLong(MarkNote::beat).min().getAsLong(),
            oldest.at(),
            last.map(Segment::last).orElse(0L),
            Optional.empty());
    boolean isOfOneStream = notes.stream().map(MarkNote::stream).distinct().count() == 1;
    boolean isLater =
        known.map(it -> next.beat() > it.beat() && !next.until().isBefore(it.until())).orElse(true);
    if (!isOfOneStream || !isLater || fewest(notes) < OF_A_SHARD) {
      return Optional.empty();
    }
    // Of a shard that is ahead, a feed that is made anew has only what came after its newest mark.
    Instant newest = notes.stream().map(MarkNote::at).max(Comparator.naturalOrder()).get();
    return known.isPresent()
        ? Optional.of(next.after(known.get(), now))
        : hasAll(next.head(), oldest.at(), newest).map(it -> next.first(newest, it));
  }

  /**
   * Whether the feed has all that was stored before the newest mark. The feed of a new stack has.
   * Also false if more is stored than one read returns.
   *
   * <p>Empty while nobody can tell: an event lacks a position, and its time is later than a minute
   * before the oldest mark. Its shard may be behind, a clock may be ahead, or a write takes long.
   * Either it gets a position soon, or it still lacks one at the next beat: then it is lost.
   */
  private Optional<Boolean> hasAll(long head, Instant oldest, Instant newest) {
    Optional<List<ItemVersion>> all = events.all();
    if (all.isEmpty()) {
      return Optional.of(false);
    }
    Set<ItemVersion> left = new HashSet<>(all.get());
    left.removeIf(it -> !written(it).isBefore(newest.plus(FeedReader.CLOCKS)));
    long next = head;
    for (int i = 0; i < MOST_READS && next > 0 && !left.isEmpty(); i++) {
      List<Segment> read = feed.backward(next, SEGMENTS);
      read.stream()
          .flatMap(segment -> segment.entries().stream())
          .map(FeedEntry::version)
          .forEach(left::remove);
      next = read.isEmpty() ? 0 : read.getLast().first() - 1;
    }
    boolean hasLost =
        left.stream().anyMatch(it -> written(it).isBefore(oldest.minus(FeedReader.CLOCKS)));
    return left.isEmpty() || hasLost ? Optional.of(!hasLost) : Optional.empty();
  }

  private static Instant written(ItemVersion version) {
    return version.renumberedAt().orElse(version.at());
  }

  /** Writes what a look has found, if it is new. Returns false if others have written meanwhile. */
  public boolean keep(Look look) {
    return look.whole().isEmpty() || keep(look.read(), look.whole().get());
  }

  /**
   * Writes what is known now.
   *
   * @param read what was known before
   */
  public boolean keep(Optional<Whole> read, Whole next) {
    return read.equals(Optional.of(next)) || feed.replace(read, next);
  }

  /** When to look again: the longer a beat waits, the later. */
  public Duration pause(Instant since) {
    Duration half = Duration.between(since, clock.instant()).dividedBy(2);
    return half.compareTo(LONGEST_WAIT) > 0
        ? LONGEST_WAIT
        : half.plusSeconds(1).truncatedTo(ChronoUnit.SECONDS);
  }
}
