package dev.connectorevents.acceptance.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.Batches;
import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.acceptance.service.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A batch that a mistake in the template keeps from being stored. */
class FailedBatchTest {

  /** The table's key has a wrong name, as after a wrong change of the template. */
  @Test
  void a_defect_is_a_result_too(@TempDir Path directory) throws IOException {
    String text = Files.readString(World.TEMPLATE);
    int table = text.indexOf("\n  EventsTable:");
    Path template =
        Files.writeString(
            directory.resolve("template.yaml"),
            text.substring(0, table)
                + text.substring(table).replace("AttributeName: id,", "AttributeName: key,"));
    try (World broken = World.start(new Setup().template(template).inProcess())) {
      Answer answer =
          Batches.send(broken, broken.client().token(), List.of(Batches.event("a", "{}")));

      assertThat(Batches.outcome(Batches.results(answer).get(0))).startsWith("500 internal_error");
    }
  }
}
