package dev.connectorevents.event;

import dev.connectorevents.DependencyUnavailableException;
import java.util.UUID;
import java.util.function.Predicate;

/** Finds an event by its id. */
public interface EventLookup {

  /**
   * Reads the event's current state, never an older one.
   *
   * @param isReadable an event of another type is absent, and takes as little time as an unknown
   *     id: its payload is neither read nor unpacked
   * @throws DependencyUnavailableException if the store does not answer, or lacks a part of the
   *     payload
   */
  LookupOutcome find(UUID id, Predicate<EventType> isReadable);
}
