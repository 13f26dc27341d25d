package dev.connectorevents.feed;

import dev.connectorevents.DependencyUnavailableException;
import java.util.List;
import java.util.Optional;

/**
 * The stored segments of the feed. Each read sees all segments that were appended before it.
 *
 * <p>Every method throws {@link DependencyUnavailableException} if the store does not answer.
 */
public interface FeedLog {

  /**
   * The segments from a position on, oldest first.
   *
   * @param first where the first of them begins, or later
   * @param most the store may return fewer; none only if there are none
   */
  List<Segment> forward(long first, int most);

  /**
   * The segments down from the one that holds this position, newest first; from the last one if
   * none holds it yet.
   *
   * @param most the store may return fewer; none only if there are none
   */
  List<Segment> backward(long position, int most);

  /** The last segment; empty while no position was given. */
  default Optional<Segment> last() {
    return backward(Long.MAX_VALUE, 1).stream().findFirst();
  }
}
