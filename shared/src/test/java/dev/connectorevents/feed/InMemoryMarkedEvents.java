package dev.connectorevents.feed;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Marks in memory, for tests, and a stream that brings them to a feed. */
public final class InMemoryMarkedEvents implements MarkedEvents {

  private final Consumer<List<MarkNote>> feed;
  private final Map<Integer, Beat> marks = new TreeMap<>();

  /** Whether the stream hands over what is written. */
  public boolean isStreaming = true;

  public String stream = "stream";

  /** Begins the names of shards. */
  public String shard = "shard";

  /** All shards get equally many marks. */
  public int shards = 1;

  /** Runs before each beat begins. */
  public Runnable beforeBegin = () -> {};

  /** What is stored; empty if it is more than is read at once. */
  public Optional<List<ItemVersion>> all = Optional.of(List.of());

  /**
   * @param feed notes marks
   */
  public InMemoryMarkedEvents(Consumer<List<MarkNote>> feed) {
    this.feed = feed;
  }

  @Override
  public Optional<Beat> last() {
    return Optional.ofNullable(marks.get(0));
  }

  @Override
  public boolean begin(Optional<Beat> last, Beat next) {
    beforeBegin.run();
    boolean isStill = last.equals(last());
    if (isStill) {
      marks.put(0, next);
    }
    return isStill;
  }

  @Override
  public void mark(Beat beat) {
    IntStream.range(0, beat.marks()).forEach(mark -> marks.put(mark, beat));
    if (isStreaming) {
      handOver(0, beat.marks());
    }
  }

  /** Hands over the marks from one, included, to another one. */
  public void handOver(int first, int last) {
    feed.accept(
        IntStream.range(first, last)
            .mapToObj(mark -> {
              Beat beat = requireNonNull(marks.get(mark));
              return new MarkNote(mark, beat.number(), beat.at(), shard + mark % shards, stream);
            })
            .toList());
  }

  @Override
  public Optional<List<ItemVersion>> all() {
    return all;
  }
}
