package dev.connectorevents.event;

import dev.connectorevents.DependencyUnavailableException;
import java.util.Set;
import java.util.UUID;

/** Says which ids are taken, without reading their events. */
public interface EventPresence {

  /**
   * The ids under which an event is stored now, and its retention has not passed. The id of an
   * erased event counts too, if the event had an {@code Idempotency-Key}. It sees a write that was
   * acknowledged before.
   *
   * @param ids at most 100
   * @throws DependencyUnavailableException if the store does not answer for all ids in time
   */
  Set<UUID> stored(Set<UUID> ids);
}
