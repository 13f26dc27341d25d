package dev.connectorevents.feed;

import dev.connectorevents.event.EventToStore;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/** The feed in memory, for tests. */
public final class InMemoryFeed implements FeedLog, FeedAppends {

  private static final String NAME = "00c0ffee";

  private final NavigableMap<Long, Segment> segments = new TreeMap<>();
  private final Map<String, SequenceNumber> progress = new HashMap<>();
  private final Map<UUID, Map<Integer, String>> notes = new HashMap<>();

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
    segments.put(first, new Segment(NAME, first, at, List.of(entries)));
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

  @Override
  public synchronized void note(String shard, List<Mark> marks) {
    marks.forEach(mark ->
        notes.computeIfAbsent(mark.run(), run -> new HashMap<>()).put(mark.number(), shard));
  }

  @Override
  public synchronized Map<Integer, String> notes(UUID run) {
    beforeNotes.run();
    return Map.copyOf(notes.getOrDefault(run, Map.of()));
  }
}
