package dev.connectorevents.acceptance.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.connectorevents.emulator.template.Template;
import dev.connectorevents.emulator.template.TemplateMistake;
import java.util.Map;

/** Fuzzes the emulator's parser of templates. */
class TemplateFuzzTest {

  @FuzzTest
  void a_template_is_read_or_has_a_mistake(byte[] bytes) {
    Budget.spend(
        bytes,
        () -> {
          try {
            Template.parse("template.yaml", new String(bytes, UTF_8), Map.of(), "");
          } catch (TemplateMistake e) {
            // Expected: its message says where the mistake is.
          }
        });
  }
}
