package dev.connectorevents.dynamodb.erasure;

import dev.connectorevents.emulator.Endpoint;
import dev.connectorevents.emulator.Stores;
import dev.connectorevents.erasure.ErasureLedgerTest;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;

class DynamoErasureLedgerTest extends ErasureLedgerTest {

  @AutoClose private static final Stores service = Endpoint.stores(Path.of("../template.yaml"));

  DynamoErasureLedgerTest() {
    super(new DynamoErasureLedger(service.dynamoDb(), service.name("ErasuresTable")));
  }
}
