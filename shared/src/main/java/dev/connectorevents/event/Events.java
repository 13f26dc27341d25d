package dev.connectorevents.event;

import dev.connectorevents.DependencyUnavailableException;

/** The store of events. */
public interface Events {

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
