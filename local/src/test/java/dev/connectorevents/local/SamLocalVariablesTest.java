package dev.connectorevents.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.emulator.SdkSettings;
import dev.connectorevents.emulator.template.Template;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The variables in {@code events/sam-local.env.json}. With them, functions under {@code sam local}
 * find the tables and the secret, and take the tokens of {@code local/serve}.
 */
class SamLocalVariablesTest {

  @Test
  void the_variables_for_sam_local_name_what_the_service_makes_elsewhere() throws IOException {
    JsonNode variables =
        new ObjectMapper().readTree(Path.of("../events/sam-local.env.json").toFile());
    Map<String, String> declared = new HashMap<>();
    Template.read(ServedLocally.TEMPLATE, Map.of(), Serve.PREFIX)
        .functions()
        .forEach(function -> declared.putAll(function.environment()));
    declared.replace("ENDPOINT_URL", "http://localstack:4566");

    assertThat(variables.get("Parameters").properties())
        .hasSize(9)
        .allMatch(each -> each.getValue().textValue().equals(declared.get(each.getKey())));
  }

  /**
   * With the region of the user's shell, the functions would look for tables that are elsewhere.
   */
  @Test
  void the_page_names_the_region_of_the_tables() throws IOException {
    assertThat(Files.readString(Path.of("../docs/running-locally.md")))
        .containsPattern("\\n {4}SAM=\"[^\"]* --region " + SdkSettings.REGION + "\"\\n");
  }
}
