package dev.connectorevents.functions.eraseevents;

import dev.connectorevents.event.ErasureLedgerTest;

class InMemoryLedgerTest extends ErasureLedgerTest {

  InMemoryLedgerTest() {
    super(new InMemoryLedger());
  }
}
