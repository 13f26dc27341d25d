package dev.connectorevents.feed;

import java.util.List;
import java.util.Optional;

/** The feed, with what it is known to hold. */
public interface WholeFeed extends FeedLog {

  /** What was last found out; empty if nothing was. */
  Optional<Whole> whole();

  /** What is known of this feed; empty if nothing is. The head may be later. */
  default Optional<Whole> known() {
    return whole().filter(it -> it.isOf(last()));
  }

  /** The last note of each mark. */
  List<MarkNote> notes();

  /**
   * Writes what was found out.
   *
   * @param read as it was read
   * @return false if it has changed since
   */
  boolean replace(Optional<Whole> read, Whole next);
}
