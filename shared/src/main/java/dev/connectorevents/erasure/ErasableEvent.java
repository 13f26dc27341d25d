package dev.connectorevents.erasure;

import dev.connectorevents.event.EventType;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** An event as it was read in order to be erased. {@link ErasableEvents} made it. */
public interface ErasableEvent {

  UUID id();

  EventType type();

  Instant createdAt();

  /** The user whose connector sent it. */
  UUID userId();

  /** Empty if the index does not list the event under a brand. */
  Optional<String> brand();

  /** The same, as it can be erased: what was read of its payload takes memory. */
  ErasableEvent withoutPayload();
}
