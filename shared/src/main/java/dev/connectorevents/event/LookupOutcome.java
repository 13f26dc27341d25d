package dev.connectorevents.event;

import java.time.Instant;

/** The outcome of looking an event up by its id. */
public sealed interface LookupOutcome {

  /** The event is stored. */
  record Found(StoredEvent event) implements LookupOutcome {}

  /**
   * An operator has erased the event.
   *
   * @param erasedAt in whole milliseconds
   */
  record Erased(Instant erasedAt) implements LookupOutcome {}

  /** No readable event has this id, or its retention has passed. */
  record Absent() implements LookupOutcome {}
}
