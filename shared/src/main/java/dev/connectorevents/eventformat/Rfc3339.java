package dev.connectorevents.eventformat;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses date-times of RFC 3339, 5.6, to the nanosecond.
 *
 * <p>It refuses two things that RFC 3339 allows, since {@link Instant} cannot parse them: leap
 * seconds, and offsets over 18 hours.
 */
public final class Rfc3339 {

  // Instant.parse accepts too much: years of five digits, hour 24, seconds in the offset. It also
  // takes ten times as long.
  private static final Pattern DATE_TIME =
      Pattern.compile(
          "\\d{4}-\\d\\d-\\d\\dT(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?(Z|[+-]\\d\\d:\\d\\d)");

  private static final int OFFSET = 1; // the group
  private static final int SECOND_END = 19;
  private static final int NANO_DIGITS = 9;

  private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999999Z");

  private Rfc3339() {}

  static boolean hasYearOfFourDigits(Instant instant) {
    return !instant.isBefore(FIRST) && !instant.isAfter(LAST);
  }

  /** The time; empty if the text is not a date-time, or if its year in UTC is not 0000 to 9999. */
  public static Optional<Instant> parse(String text) {
    String upper = text.toUpperCase(Locale.ROOT);
    Matcher shape = DATE_TIME.matcher(upper);
    if (!shape.matches()) {
      return Optional.empty();
    }
    try {
      Instant instant =
          LocalDateTime.of(
                  number(upper, 0, 4),
                  number(upper, 5, 7),
                  number(upper, 8, 10),
                  number(upper, 11, 13),
                  number(upper, 14, 16),
                  number(upper, 17, SECOND_END),
                  nanos(upper, shape.start(OFFSET)))
              .toInstant(ZoneOffset.of(shape.group(OFFSET)));
      return Optional.of(instant).filter(Rfc3339::hasYearOfFourDigits);
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static int nanos(String text, int end) {
    int digits = end - SECOND_END - 1; // after the point
    return digits < 1
        ? 0
        : number(text, SECOND_END + 1, end) * (int) Math.pow(10, NANO_DIGITS - digits);
  }

  private static int number(String text, int start, int end) {
    return Integer.parseInt(text, start, end, 10);
  }
}
