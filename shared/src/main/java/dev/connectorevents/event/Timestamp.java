package dev.connectorevents.event;

import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoUnit;

/** Writes the times that the service gives to events, in answers and in the table alike. */
public final class Timestamp {

  /** No time is before this one: years have four digits. */
  public static final Instant EARLIEST = Instant.parse("0000-01-01T00:00:00Z");

  private static final DateTimeFormatter FORMAT =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

  private Timestamp() {}

  /** The first whole millisecond that is not before this time. */
  public static Instant roundedUp(Instant time) {
    Instant millisecond = time.truncatedTo(ChronoUnit.MILLIS);
    return millisecond.equals(time) ? time : millisecond.plusMillis(1);
  }

  /**
   * The time in UTC (RFC 3339), in whole milliseconds. It always has three digits of fraction,
   * which {@link Instant#toString} leaves out at a whole second: so these texts sort by time.
   */
  public static String of(Instant time) {
    return FORMAT.format(time);
  }
}
