package dev.connectorevents.functions;

import dev.connectorevents.event.ErasureLedgerTest;

class InMemoryLedgerTest extends ErasureLedgerTest {

  InMemoryLedgerTest() {
    super(new InMemoryLedger());
  }
}
