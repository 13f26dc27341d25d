package dev.connectorevents.functions;

import dev.connectorevents.erasure.ErasureLedgerTest;

class InMemoryLedgerTest extends ErasureLedgerTest {

  InMemoryLedgerTest() {
    super(new InMemoryLedger());
  }
}
