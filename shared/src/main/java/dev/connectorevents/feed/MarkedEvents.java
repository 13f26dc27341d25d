package dev.connectorevents.feed;

import dev.connectorevents.DependencyUnavailableException;
import java.util.List;
import java.util.Optional;

/**
 * The stored events with the marks beside them: their stream hands a mark over after what its shard
 * had before.
 *
 * <p>Every method throws {@link DependencyUnavailableException} if the store does not answer.
 */
public interface MarkedEvents {

  /** The last beat that has begun. */
  Optional<Beat> last();

  /**
   * Begins a beat.
   *
   * @param last as it was read
   * @return false if another beat has begun since
   */
  boolean begin(Optional<Beat> last, Beat next);

  /** Writes the marks of a beat that has begun, but for those that a later one has written. */
  void mark(Beat beat);

  /** All events and tombstones; empty if the store has more than it reads at once. */
  Optional<List<ItemVersion>> all();
}
