package dev.connectorevents.feed;

import java.util.Optional;

/**
 * A beat that somebody waits for.
 *
 * @param feed the name of the feed when the wait began; empty if it had none, or nobody knew
 * @param stream the stream that was read then; empty if nobody knew
 */
public record Awaited(Beat beat, Optional<String> feed, Optional<String> stream) {

  /** Whether this is said of the feed and of the stream of that time. */
  public boolean isSameIn(Whole whole) {
    return (feed.isEmpty() || feed.equals(whole.feed()))
        && stream.map(it -> it.equals(whole.stream())).orElse(true);
  }
}
