package dev.connectorevents.acceptance.template;

import java.util.List;
import java.util.function.Consumer;

/**
 * A rule about the text of the template.
 *
 * @param check fails if a template breaks the rule, and names the place
 * @param mistakes each breaks the rule
 */
record TemplateRule(String name, Consumer<TemplateText> check, List<Mistake> mistakes) {

  TemplateRule {
    mistakes = List.copyOf(mistakes);
  }

  TemplateRule(String name, Consumer<TemplateText> check, Mistake... mistakes) {
    this(name, check, List.of(mistakes));
  }

  @Override
  public String toString() {
    return name;
  }
}
