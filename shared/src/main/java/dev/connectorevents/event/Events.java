package dev.connectorevents.event;

import dev.connectorevents.DependencyUnavailableException;
import java.time.Duration;

/** The store of events. */
public interface Events {

  /**
   * The longest time from the {@code created_at} of an event or of a tombstone to the end of the
   * last try to write it.
   */
  Duration LONGEST_WRITE = Duration.ofSeconds(8);

  /** The largest difference between the clocks of two functions. */
  Duration CLOCK_SKEW = Duration.ofSeconds(2);

  /**
   * Stores an event exactly once under its id, however often this is called. {@code docs/api.md}
   * defines which events are the same.
   *
   * <p>Its {@code created_at} is the time right before the first try to write it. No try ends later
   * than {@link #LONGEST_WRITE} after that.
   *
   * @return what happened; only {@link StoreOutcome.Stored} means that this call stored the event
   * @throws DependencyUnavailableException if the store does not answer. The event may be stored or
   *     not; a call with the same event finds out.
   */
  StoreOutcome.Known store(EventToStore toStore);
}
