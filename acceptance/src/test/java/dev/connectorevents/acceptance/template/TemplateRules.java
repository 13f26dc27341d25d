package dev.connectorevents.acceptance.template;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.connectorevents.acceptance.service.World;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests rules for the text of the template. The emulator does not check these rules. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class TemplateRules {

  abstract Stream<TemplateRule> rules();

  Stream<Arguments> mistakes() {
    return rules().flatMap(rule -> rule.mistakes().stream().map(each -> arguments(rule, each)));
  }

  @ParameterizedTest
  @MethodSource("rules")
  void the_services_template_keeps_the_rule(TemplateRule rule) throws IOException {
    rule.check().accept(TemplateText.read(World.TEMPLATE));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void a_mistake_is_found_and_its_place_named(
      TemplateRule rule, Mistake mistake, @TempDir Path directory) throws IOException {
    TemplateText template = TemplateText.read(mistake.plantedIn(directory));

    assertThatThrownBy(() -> rule.check().accept(template))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining(mistake.message());
  }
}
