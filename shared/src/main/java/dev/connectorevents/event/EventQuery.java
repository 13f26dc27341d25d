package dev.connectorevents.event;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Which events a list has.
 *
 * @param from the earliest time, included; in whole milliseconds, as events are created
 * @param to the latest time, excluded
 */
public record EventQuery(Filter filter, Optional<Instant> from, Optional<Instant> to) {

  /** Exactly one index can answer a query. */
  public sealed interface Filter {

    /** The value that the events have in common. */
    String value();
  }

  /** Events of one type. */
  public record OfType(EventType type) implements Filter {
    @Override
    public String value() {
      return type.value();
    }
  }

  /** Events whose {@code _meta} names one brand. */
  public record OfBrand(String value) implements Filter {}

  public EventQuery {
    from = from.map(EventQuery::roundedUp);
    to = to.map(EventQuery::roundedUp);
  }

  private static Instant roundedUp(Instant time) {
    Instant millisecond = time.truncatedTo(ChronoUnit.MILLIS);
    return millisecond.equals(time) ? time : millisecond.plusMillis(1);
  }
}
