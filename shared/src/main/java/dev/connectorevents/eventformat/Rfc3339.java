package dev.connectorevents.eventformat;

import dev.connectorevents.event.Timestamp;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses date-times of RFC 3339, 5.6, to the nanosecond, and what common libraries print instead:
 * no seconds, an offset without its colon or of hours only, a space for the {@code T} or before the
 * offset.
 *
 * <p>It refuses two things that RFC 3339 allows, since {@link Instant} cannot parse them: leap
 * seconds, and offsets over 18 hours.
 */
public final class Rfc3339 {

  /** What {@link #parse} takes, for a message. */
  public static final String RULE =
      "a date-time with an offset (RFC 3339), as in 2026-11-20T12:00:00Z";

  // Instant.parse accepts too much: years of five digits, hour 24, seconds in the offset. It also
  // takes ten times as long.
  private static final Pattern DATE_TIME =
      Pattern.compile(
          "(\\d{4})-(\\d\\d)-(\\d\\d)[Tt ]([01]\\d|2[0-3]):([0-5]\\d)(?::([0-5]\\d)(?:\\.(\\d{1,9}))?)?"
              + " ?([Zz]|[+-]\\d\\d(?::?\\d\\d)?)");

  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999999Z");

  private Rfc3339() {}

  static boolean hasYearOfFourDigits(Instant instant) {
    return !instant.isBefore(Timestamp.EARLIEST) && !instant.isAfter(LAST);
  }

  /** The time; empty if the text is not a date-time, or if its year in UTC is not 0000 to 9999. */
  public static Optional<Instant> parse(String text) {
    Matcher parts = DATE_TIME.matcher(text);
    if (!parts.matches()) {
      return Optional.empty();
    }
    try {
      Instant instant =
          LocalDateTime.of(
                  Integer.parseInt(parts.group(1)),
                  Integer.parseInt(parts.group(2)),
                  Integer.parseInt(parts.group(3)),
                  Integer.parseInt(parts.group(4)),
                  Integer.parseInt(parts.group(5)),
                  number(parts.group(6)),
                  nanos(parts.group(7)))
              .toInstant(ZoneOffset.of(parts.group(8).toUpperCase(Locale.ROOT)));
      return Optional.of(instant).filter(Rfc3339::hasYearOfFourDigits);
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static int nanos(@Nullable String fraction) {
    return number(fraction == null ? null : (fraction + "000000000").substring(0, 9));
  }

  private static int number(@Nullable String digits) {
    return digits == null ? 0 : Integer.parseInt(digits);
  }
}
