package dev.connectorevents.acceptance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.service.NodePackages;
import dev.connectorevents.emulator.CommandOnPath;
import dev.connectorevents.emulator.CommandOnPath.Result;
import dev.connectorevents.emulator.template.Route;
import dev.connectorevents.emulator.template.Template;
import dev.connectorevents.local.contract.Contract;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class OpenApiTest {

  @Test
  @Promise("says the same for tools")
  void it_has_the_routes_of_the_template() throws Exception {
    Set<String> routes =
        Template.read(Path.of("../template.yaml"), Map.of()).routes().stream()
            .map(Route::key)
            .collect(Collectors.toSet());
    Set<String> documented =
        Contract.published().documented().lines().stream()
            .filter(line -> line.chars().filter(character -> character == ' ').count() == 1)
            .collect(Collectors.toSet());

    assertThat(documented).isEqualTo(routes);
  }

  @Test
  void redocly_finds_nothing_by_its_recommended_rules() throws Exception {
    String redocly = NodePackages.command("redocly");

    Result result =
        CommandOnPath.of(
                redocly,
                "lint",
                "--extends=recommended",
                "--format=stylish",
                "../docs/openapi.yaml")
            .run(Redirect.DISCARD);

    assertThat(result.exitCode()).as(result.output()).isZero();
    assertThat(result.output()).doesNotContain("warning");
  }
}
