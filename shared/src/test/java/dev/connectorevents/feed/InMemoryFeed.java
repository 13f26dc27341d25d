package dev.connectorevents.feed;

import dev.connectorevents.event.EventToStore;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** The feed in memory, for tests. */
public final class InMemoryFeed implements WholeFeed, FeedAppends {

  /** The name of a feed whose first position is given from now on. */
  public String name = "00c0ffee";

  private final NavigableMap<Long, Segment> segments = new TreeMap<>();
  private final Map<String, SequenceNumber> progress = new HashMap<>();
  private final Map<Integer, MarkNote> notes = new TreeMap<>();
  private Optional<Whole> whole = Optional.empty();

  /** Runs before each read of segments. */
  public Runnable beforeRead = () -> {};

  /** Runs before each read of notes. */
  public Runnable beforeNotes = () -> {};

  /** Runs before each append of a shard. */
  public Runnable beforeAppend = () -> {};

  /** The entry of an event that has no brand, or whose brand the index lists. */
  public static FeedEntry entry(EventToStore event) {
    return new FeedEntry.OfEvent(
        new ItemVersion(event.id(), event.createdAt(), Optional.empty()),
        event.type(),
        event.userId(),
        event.payload().meta().brandId().map(BrandHash::of));
  }

  /** All segments, oldest first. */
  public synchronized List<Segment> segments() {
    return List.copyOf(segments.values());
  }

  /** Appends a segment. */
  public synchronized void append(Instant at, FeedEntry... entries) {
    long first = last().map(Segment::last).orElse(0L) + 1;
    segments.put(
        first, new Segment(last().map(Segment::feed).orElse(name), first, at, List.of(entries)));
  }

  @Override
  public synchronized List<Segment> forward(long first, int most) {
    beforeRead.run();
    return segments.tailMap(first, true).values().stream().limit(most).toList();
  }

  @Override
  public synchronized List<Segment> backward(long position, int most) {
    beforeRead.run();
    return segments.headMap(position, true).descendingMap().values().stream().limit(most).toList();
  }

  @Override
  public synchronized Tail tail(String shard) {
    return new Tail(last(), Optional.ofNullable(progress.get(shard)));
  }

  @Override
  public synchronized boolean append(
      String shard, Tail tail, Segment segment, SequenceNumber moved) {
    beforeAppend.run();
    boolean isFree =
        !segments.containsKey(segment.first())
            && tail.progress().equals(Optional.ofNullable(progress.get(shard)));
    if (isFree) {
      segments.put(segment.first(), segment);
      progress.put(shard, moved);
    }
    return isFree;
  }

  /** Loses all of the feed. One that is made anew has another name. */
  public synchronized void lose() {
    segments.clear();
    progress.clear();
    notes.clear();
    whole = Optional.empty();
    name = "deadbeef";
  }

  @Override
  public synchronized void note(List<MarkNote> marks) {
    marks.forEach(note -> notes.put(note.mark(), note));
  }

  @Override
  public synchronized List<MarkNote> notes() {
    beforeNotes.run();
    return List.copyOf(notes.values());
  }

  @Override
  public synchronized Optional<Whole> whole() {
    return whole;
  }

  @Override
  public synchronized boolean replace(Optional<Whole> read, Whole next) {
    boolean isStill = whole.equals(read);
    whole = isStill ? Optional.of(next) : whole;
    return isStill;
  }
}
