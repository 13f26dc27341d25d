package dev.connectorevents.event;

import dev.connectorevents.DependencyUnavailableException;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Finds events by their ids. */
public interface EventLookup {

  /**
   * Reads the event's current state, never an older one; empty if there is none, or if its
   * retention has passed.
   *
   * @throws DependencyUnavailableException if the store does not answer, or lacks a part of the
   *     payload
   */
  Optional<StoredEvent> find(UUID id);

  /**
   * The ids under which an event is stored now, and its retention has not passed. A write that was
   * acknowledged before is seen.
   *
   * @param ids at most 100
   * @throws DependencyUnavailableException if the store does not answer for all ids in time
   */
  Set<UUID> stored(Set<UUID> ids);
}
