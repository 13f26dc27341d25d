package dev.connectorevents.http;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Reads date-times with an offset as RFC 3339, 5.6 writes them, to the nanosecond.
 *
 * <p>Two things that RFC 3339 allows have no {@link Instant} and are refused: leap seconds, and
 * offsets over 18 hours, which no place has.
 */
public final class Rfc3339 {

  // Instant.parse takes more than RFC 3339 does: years of five digits, hour 24, offset seconds.
  private static final Pattern DATE_TIME =
      Pattern.compile(
          "\\d{4}-\\d\\d-\\d\\dT([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,9})?(Z|[+-]\\d\\d:\\d\\d)");

  private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999999Z");

  private Rfc3339() {}

  /** The time, if the text is one and has a form in UTC. */
  public static Optional<Instant> parse(String text) {
    String upper = text.toUpperCase(Locale.ROOT);
    if (!DATE_TIME.matcher(upper).matches()) {
      return Optional.empty();
    }
    try {
      Instant instant = Instant.parse(upper);
      return instant.isBefore(FIRST) || instant.isAfter(LAST)
          ? Optional.empty()
          : Optional.of(instant);
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
