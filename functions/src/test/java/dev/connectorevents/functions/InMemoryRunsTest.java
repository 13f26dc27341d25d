package dev.connectorevents.functions;

import dev.connectorevents.event.RunsTest;

class InMemoryRunsTest extends RunsTest {

  InMemoryRunsTest() {
    super(new InMemoryRuns());
  }
}
