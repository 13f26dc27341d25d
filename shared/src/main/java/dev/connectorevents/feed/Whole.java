package dev.connectorevents.feed;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What the feed is known to hold: each event that was acknowledged before {@code until}, but for
 * those in the gap, has a position up to {@code head}.
 *
 * @param feed the name of the feed; empty while no position was given: it may get any
 * @param stream the stream that was read
 * @param beat the number of the beat that all marks have come to
 * @param gap what it may lack; empty if it holds all there ever was
 */
public record Whole(
    Optional<String> feed, String stream, long beat, Instant until, long head, Optional<Gap> gap) {

  /** A stream keeps a record for 24 hours. An hour is to spare. */
  private static final Duration KEPT = Duration.ofHours(23);

  /** The beginning of all. */
  private static final Instant BEGINNING = Instant.EPOCH;

  /**
   * A time of which the feed may lack events: the first that was lost, and all up to the last.
   *
   * @param from included
   * @param to excluded; what was acknowledged then or later, the feed has
   */
  public record Gap(Instant from, Instant to) {}

  /** From when on the feed has all; empty if it has all there ever was. */
  public Optional<Instant> since() {
    return gap.map(Gap::to);
  }

  /** Whether the feed has all that was acknowledged from a time up to {@code until}. */
  public boolean isSince(Instant time) {
    return since().map(it -> !time.isBefore(it)).orElse(true);
  }

  /**
   * Whether it was said of this feed.
   *
   * @param last the last segment of the feed; empty while no position was given
   */
  public boolean isOf(Optional<Segment> last) {
    return feed.isEmpty() || feed.equals(last.map(Segment::feed));
  }

  /**
   * At a feed's first beat. What Lambda has handed over once, it does not hand over to a feed that
   * is made anew.
   *
   * @param since from when on it has handed over all
   * @param hasAll whether the feed has all that is stored
   */
  Whole first(Instant since, boolean hasAll) {
    return with(hasAll ? Optional.empty() : Optional.of(new Gap(BEGINNING, since)));
  }

  /**
   * After what was known before. While the stream was read at least once a day, it has lost
   * nothing.
   *
   * @param now a time after the notes were read
   */
  Whole after(Whole before, Instant now) {
    Instant lostFrom = before.gap.map(Gap::from).orElse(before.until);
    if (!stream.equals(before.stream)) { // the end of the other one is not read
      return with(Optional.of(new Gap(lostFrom, until)));
    }
    Instant oldest = now.minus(KEPT);
    return with(
        before.until.isBefore(oldest) ? Optional.of(new Gap(lostFrom, oldest)) : before.gap);
  }

  /**
   * After what the feed lacked of a time was given back.
   *
   * @param sinceBefore from when on the feed had all when this began; empty if all there ever was
   */
  public Whole filled(Instant from, Instant to, Optional<Instant> sinceBefore) {
    if (gap.isEmpty()
        || to.isBefore(gap.get().to())
        // A loss has come meanwhile: it ends later than those before.
        || sinceBefore.map(gap.get().to()::isAfter).orElse(true)) {
      return this;
    }
    if (!from.isAfter(gap.get().from())) {
      return with(Optional.empty());
    }
    return from.isBefore(gap.get().to())
        ? with(Optional.of(new Gap(gap.get().from(), from)))
        : this;
  }

  private Whole with(Optional<Gap> other) {
    return new Whole(feed, stream, beat, until, head, other);
  }
}
