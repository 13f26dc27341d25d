package dev.connectorevents.feed;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The position up to which a reader has read, as readers keep it.
 *
 * @param feed the name of the feed; empty before any position was given: the beginning of every
 *     feed
 * @param position 0 before the first entry
 */
public record FeedCursor(Optional<String> feed, long position) {

  /** The beginning of every feed. */
  public static final FeedCursor BEGINNING = new FeedCursor(Optional.empty(), 0);

  private static final Pattern SHAPE = Pattern.compile("([0-9a-f]{8})-(0|[1-9][0-9]{0,17})");

  /** Parses the text of a cursor; empty if it is none. */
  public static Optional<FeedCursor> parse(String text) {
    if (text.equals(BEGINNING.text())) {
      return Optional.of(BEGINNING);
    }
    Matcher shape = SHAPE.matcher(text);
    return shape.matches()
        ? Optional.of(new FeedCursor(Optional.of(shape.group(1)), Long.parseLong(shape.group(2))))
        : Optional.empty();
  }

  /**
   * Whether the feed has this position. The beginning is in every feed.
   *
   * @param last the last segment; empty while no position was given
   */
  boolean isIn(Optional<Segment> last) {
    return feed.isEmpty()
        || last.filter(it -> it.feed().equals(feed.get()) && position <= it.last()).isPresent();
  }

  /** Such as {@code 3f9a01c2-1234}, or {@code 0}. */
  public String text() {
    return feed.map(name -> name + "-" + position).orElse("0");
  }
}
