package dev.connectorevents.event;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The part of the feed that one of several readers gets. Together, the parts have each event once.
 * All events of a brand are in the same part.
 *
 * @param part from 1 to {@code parts}
 * @param parts from 1 to {@value #MOST_PARTS}
 */
public record Share(int part, int parts) {

  public static final int MOST_PARTS = 64;

  private static final Pattern FORM = Pattern.compile("([1-9]\\d?)/([1-9]\\d?)");

  /** Parses {@code 2/8}, the second of eight. */
  public static Optional<Share> parse(String text) {
    Matcher match = FORM.matcher(text);
    if (!match.matches()) {
      return Optional.empty();
    }
    int part = Integer.parseInt(match.group(1));
    int parts = Integer.parseInt(match.group(2));
    return part <= parts && parts <= MOST_PARTS
        ? Optional.of(new Share(part, parts))
        : Optional.empty();
  }

  /** As {@link #parse} takes it. */
  public String text() {
    return part + "/" + parts;
  }

  /** Whether the events with this number are in this part. */
  public boolean has(long number) {
    return number % parts + 1 == part;
  }
}
