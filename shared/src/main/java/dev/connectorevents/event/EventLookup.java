package dev.connectorevents.event;

import dev.connectorevents.DependencyUnavailableException;
import java.util.UUID;

/** Finds an event by its id. */
public interface EventLookup {

  /**
   * Reads the event's current state, never an older one.
   *
   * @throws DependencyUnavailableException if the store does not answer, or lacks a part of the
   *     payload
   */
  LookupOutcome find(UUID id);
}
