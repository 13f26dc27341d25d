package dev.connectorevents.functions;

import dev.connectorevents.erasure.ErasableEvents;
import dev.connectorevents.erasure.ErasableEventsTest;
import dev.connectorevents.event.EventToStore;
import java.time.Duration;

class InMemoryErasableEventsTest extends ErasableEventsTest {

  private final InMemoryErasableEvents events = new InMemoryErasableEvents(clock);

  @Override
  protected ErasableEvents events() {
    return events;
  }

  @Override
  protected long head() {
    return events.head();
  }

  @Override
  protected void put(EventToStore toStore, Duration retention) {
    events.put(
        new InMemoryErasableEvents.Event(
            toStore.id(),
            toStore.createdAt(),
            toStore.userId(),
            toStore.type(),
            toStore.payload().meta().brandId().orElse(""),
            toStore.payload().text(),
            toStore.createdAt(),
            retention.isPositive()));
  }
}
