package dev.connectorevents.functions.beatfeed;

import dev.connectorevents.feed.Beat;
import dev.connectorevents.feed.FeedBeats;
import dev.connectorevents.feed.Whole;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;

/** Begins a beat, and keeps what the feed holds once its marks are noted. */
final class BeatFeed {

  /** Marks come to the feed as fast as events: in a second or two. */
  private static final Duration LONGEST_LOOK = Duration.ofSeconds(20);

  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final FeedBeats beats;
  private final InstantSource clock;
  private final Consumer<Duration> waiting;

  /**
   * @param waiting waits for the given time
   */
  BeatFeed(FeedBeats beats, InstantSource clock, Consumer<Duration> waiting) {
    this.beats = beats;
    this.clock = clock;
    this.waiting = waiting;
  }

  /**
   * What was found out.
   *
   * @param beat the last one that has begun
   * @param whole what the feed holds; empty if nobody knows
   */
  record Beaten(Beat beat, Optional<Whole> whole) {}

  Beaten beat() {
    Instant end = clock.instant().plus(LONGEST_LOOK);
    Beat beat = beats.begin(0).beat();
    boolean isThin = false;
    while (true) {
      waiting.accept(PAUSE);
      FeedBeats.Look look = beats.look(beat);
      boolean isKept = beats.keep(look);
      boolean isLate = !clock.instant().isBefore(end);
      if (isLate || (isKept && look.of(beat).isPresent())) {
        return new Beaten(beat, look.whole());
      }
      if (look.marks() > beat.marks()) { // again: a shard that ended in between had few of them
        beat = beats.begin(isThin ? look.marks() : 0).beat();
        isThin = true;
      }
    }
  }
}
