package dev.connectorevents.event;

import dev.connectorevents.DependencyUnavailableException;

/** The store of events. */
public interface Events {

  /**
   * Stores an event exactly once under its id, however often this is called. {@code docs/api.md}
   * defines which submissions are the same event.
   *
   * @return what happened; only {@link StoreOutcome.Stored} means that this call stored the event
   * @throws DependencyUnavailableException if the store does not answer. The event may be stored or
   *     not; a call with the same submission finds out.
   */
  StoreOutcome store(Submission submission);
}
