package dev.connectorevents.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.local.LocalOptions.Elsewhere;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandLineTest {
  @Test
  void without_options_the_service_runs_on_port_3000_in_memory() {
    assertThat(CommandLine.parse(List.of()))
        .isEqualTo(
            new CommandLine.Run(
                new LocalOptions(Path.of("template.yaml"), 3000, Optional.empty(), Map.of())));
  }

  @Test
  void options_are_taken_over() {
    assertThat(
            CommandLine.parse(
                List.of("--port", "0", "--data", "d", "--parameter", "A=b=c", "--template", "t")))
        .isEqualTo(
            new CommandLine.Run(
                new LocalOptions(Path.of("t"), 0, Optional.of(Path.of("d")), Map.of("A", "b=c"))));
  }

  @Test
  void an_endpoint_has_the_same_tables_each_time() {
    URI endpoint = URI.create("http://localhost:4566");

    assertThat(CommandLine.parse(List.of("--endpoint", "http://localhost:4566")))
        .isEqualTo(
            new CommandLine.Run(
                new LocalOptions(
                    Path.of("template.yaml"),
                    3000,
                    Optional.empty(),
                    Map.of(),
                    Optional.of(Elsewhere.kept(endpoint)))));
    assertThat(Elsewhere.temporary(endpoint)).isNotEqualTo(Elsewhere.temporary(endpoint));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--bogus",
        "--port",
        "--port x",
        "--port 70000",
        "--parameter A",
        "--endpoint x",
        "x"
      })
  void a_mistake_is_a_mistake(String line) {
    assertThat(CommandLine.parse(List.of(line.split(" ", -1))))
        .isInstanceOf(CommandLine.Mistake.class);
  }
}
