package dev.connectorevents.event;

import dev.connectorevents.DependencyUnavailableException;

/** The events, wherever they are kept. */
public interface Events {

  /**
   * Stores an event exactly once, however often it is handed over under its id.
   *
   * @throws DependencyUnavailableException if the store does not answer; the event is then stored
   *     or not, and handing it over again finds out
   */
  StoreOutcome store(Submission submission);
}
