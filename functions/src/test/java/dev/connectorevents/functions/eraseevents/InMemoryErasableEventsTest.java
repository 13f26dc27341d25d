package dev.connectorevents.functions.eraseevents;

import dev.connectorevents.event.ErasableEvents;
import dev.connectorevents.event.ErasableEventsTest;
import dev.connectorevents.event.EventToStore;
import java.time.Duration;
import java.time.Instant;

class InMemoryErasableEventsTest extends ErasableEventsTest {

  private final InMemoryErasableEvents events = new InMemoryErasableEvents(() -> NOW);

  @Override
  protected ErasableEvents events() {
    return events;
  }

  @Override
  protected void put(EventToStore toStore, Duration retention) {
    Instant createdAt = toStore.event().createdAt();
    events.put(
        new InMemoryErasableEvents.Event(
            toStore.event().id(),
            createdAt,
            toStore.userId(),
            toStore.event().type(),
            toStore.payload().meta().brandId().orElse(""),
            toStore.payload().text(),
            createdAt,
            retention.isPositive()));
  }
}
