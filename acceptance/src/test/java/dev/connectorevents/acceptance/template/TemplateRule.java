package dev.connectorevents.acceptance.template;

import java.util.List;
import java.util.function.Consumer;

/**
 * A rule for the text of the template, and mistakes that show that the rule's check works.
 *
 * @param name the rule's name in the names of its tests
 * @param check throws an {@link AssertionError} that names the place if a template breaks the rule
 * @param mistakes mistakes that the check must find
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
