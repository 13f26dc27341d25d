package dev.connectorevents.feed;

import dev.connectorevents.DependencyUnavailableException;
import java.util.List;
import java.util.Optional;

/**
 * The end of the feed, for appending to it. Several writers may append at the same time, each from
 * a shard of the stream.
 *
 * <p>Every method throws {@link DependencyUnavailableException} if the store does not answer.
 */
public interface FeedAppends {

  /**
   * Where a writer goes on.
   *
   * @param last the last segment; empty while no position was given
   * @param progress the number up to which the entries of the shard have their positions; empty if
   *     none has
   */
  record Tail(Optional<Segment> last, Optional<SequenceNumber> progress) {}

  /** Reads the end of the feed, and how far a shard has come. */
  Tail tail(String shard);

  /**
   * Appends a segment, and moves the shard's progress, both or none.
   *
   * @param tail as it was read: the segment begins at the position after it
   * @param progress the number of the segment's last entry in the stream
   * @return false if another writer has appended since the tail was read, or has moved the progress
   */
  boolean append(String shard, Tail tail, Segment segment, SequenceNumber progress);

  /** Notes marks. Call it when all that their shard had before them is numbered. */
  void note(List<MarkNote> marks);
}
