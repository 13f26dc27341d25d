package dev.connectorevents.event;

import java.util.UUID;

class InMemoryEventsTest extends EventsTest {

  private final InMemoryEvents events = new InMemoryEvents();

  @Override
  protected Events store() {
    return events;
  }

  @Override
  protected String payload(UUID id) {
    return events.stored().getFirst().payload().text();
  }

  @Override
  protected void erase(UUID id) {
    events.erase(id);
  }
}
