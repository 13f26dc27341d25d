package dev.connectorevents.acceptance.template;

import java.util.List;
import java.util.function.Consumer;

/**
 * A rule about the text of the template, and mistakes that show that its check works.
 *
 * @param name names the tests of the rule
 * @param check throws an {@link AssertionError} that names the place if a template breaks the rule
 * @param mistakes the check must find each of them
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
