package dev.connectorevents.bench.coldstart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.emulator.template.FunctionDefinition;
import dev.connectorevents.emulator.template.Template;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BenchmarkEventsTest {

  private final BenchmarkEvents events =
      new BenchmarkEvents(Path.of("../events"), "connector-token", "consumer-token");

  @Test
  void each_function_of_the_template_has_an_event() throws IOException {
    List<FunctionDefinition> functions =
        Template.read(Path.of("../template.yaml"), Map.of()).functions();

    assertThat(functions).isNotEmpty();
    for (FunctionDefinition function : functions) {
      assertThat(events.of(function, Candidates.name(function))).startsWith("{");
    }
  }
}
