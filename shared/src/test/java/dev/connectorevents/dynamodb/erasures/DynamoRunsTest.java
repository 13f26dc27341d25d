package dev.connectorevents.dynamodb.erasures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.emulator.Endpoint;
import dev.connectorevents.emulator.Stores;
import dev.connectorevents.event.RunsTest;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;

class DynamoRunsTest extends RunsTest {

  @AutoClose private static final Stores service = Endpoint.stores(Path.of("../template.yaml"));

  DynamoRunsTest() {
    super(new DynamoRuns(service.dynamoDb(), service.name("ErasuresTable")));
  }

  @AfterEach
  void no_run_is_listed_as_an_erasure() {
    assertThat(
            new DynamoErasureLedger(service.dynamoDb(), service.name("ErasuresTable"))
                .list(Optional.empty())
                .erasures())
        .isEmpty();
  }
}
