package dev.connectorevents.event;

import dev.connectorevents.DependencyUnavailableException;
import java.time.Duration;

/** The store of events. */
public interface Events {

  /** The longest time from an event's {@code created_at} to its write: event creation's timeout. */
  Duration LONGEST_WRITE = Duration.ofSeconds(15);

  /** The largest difference between the clocks of two functions. */
  Duration CLOCK_SKEW = Duration.ofSeconds(2);

  /**
   * Stores an event exactly once under its id, however often this is called. {@code docs/api.md}
   * defines which events are the same.
   *
   * @return what happened; only {@link StoreOutcome.Stored} means that this call stored the event
   * @throws DependencyUnavailableException if the store does not answer. The event may be stored or
   *     not; a call with the same event finds out.
   */
  StoreOutcome.Known store(EventToStore toStore);
}
