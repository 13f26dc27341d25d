package dev.connectorevents.event;

import dev.connectorevents.DependencyUnavailableException;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;

/** Finds an event by its id. */
public interface EventLookup {

  /**
   * Reads the event's current state, never an older one.
   *
   * @param isReadable for a reader who may not read all types: an event of another type is absent,
   *     and takes as little time as an unknown id, since none of its payload is read
   * @throws DependencyUnavailableException if the store does not answer, or lacks a part of the
   *     payload
   */
  LookupOutcome find(UUID id, Optional<Predicate<EventType>> isReadable);
}
