package dev.connectorevents.event;

import java.time.Instant;
import java.util.UUID;

/** An event as it was read in order to be erased. {@link ErasableEvents} made it. */
public interface ErasableEvent {

  UUID id();

  EventType type();

  Instant createdAt();
}
