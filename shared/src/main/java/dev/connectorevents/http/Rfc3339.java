package dev.connectorevents.http;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Parses date-times of RFC 3339, 5.6, to the nanosecond.
 *
 * <p>It refuses two things that RFC 3339 allows, since {@link Instant} cannot parse them: leap
 * seconds, and offsets over 18 hours.
 */
public final class Rfc3339 {

  // Instant.parse alone accepts too much: years of five digits, hour 24, seconds in the offset.
  private static final Pattern DATE_TIME =
      Pattern.compile(
          "\\d{4}-\\d\\d-\\d\\dT([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,9})?(Z|[+-]\\d\\d:\\d\\d)");

  private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999999Z");

  private Rfc3339() {}

  static boolean hasYearOfFourDigits(Instant instant) {
    return !instant.isBefore(FIRST) && !instant.isAfter(LAST);
  }

  /** The time; empty if the text is not a date-time, or if its year in UTC is not 0000 to 9999. */
  public static Optional<Instant> parse(String text) {
    String upper = text.toUpperCase(Locale.ROOT);
    if (!DATE_TIME.matcher(upper).matches()) {
      return Optional.empty();
    }
    try {
      Instant instant = Instant.parse(upper);
      return Optional.of(instant).filter(Rfc3339::hasYearOfFourDigits);
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
