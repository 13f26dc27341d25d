package dev.connectorevents.event;

import java.time.Instant;

/** Changes events that tests store. */
public final class ToStore {

  private ToStore() {}

  /** The same event with another time. */
  public static EventToStore at(EventToStore event, Instant createdAt) {
    return new EventToStore(
        event.id(),
        event.type(),
        event.delivery(),
        event.payload(),
        event.userId(),
        event.fingerprint(),
        createdAt);
  }
}
