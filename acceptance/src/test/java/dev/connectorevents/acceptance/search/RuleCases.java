package dev.connectorevents.acceptance.search;

import static dev.connectorevents.acceptance.search.HandMadeHistory.CONNECTOR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests one class of rules. Its cases are histories made by hand, all judged by all rules. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class RuleCases {

  static final Path FOLDER = Path.of("src/test/java/dev/connectorevents/acceptance/search");

  static final String CODE = "{\"code\":\"x\"}";
  static final Event EVENT = event(1, "key");
  static final Event OTHER = event(2, "other key");
  static final Event WITH_META =
      new Event(
          3,
          CONNECTOR,
          Optional.of("third key"),
          "t",
          1,
          "{\"n\":3, \"_meta\":{\"source\":\"s\",%s}}".formatted(Event.ATTEMPT));

  private static final Pattern RULE = Pattern.compile("\"(\\w[^\"%]* [^\"%]*)\"");

  private final Class<?> rules;

  RuleCases(Class<?> rules) {
    this.rules = rules;
  }

  /** Histories that break one rule each, under the rule's name. Each rule has at least one. */
  abstract Stream<Arguments> violations();

  /** Histories that break no rule. */
  abstract Stream<Arguments> allowed();

  static Arguments when(String name, Consumer<HandMadeHistory> steps) {
    return arguments(name, steps);
  }

  static Event event(int number, String key) {
    String payload = "{\"n\":%d, \"x\":1}".formatted(number);
    return new Event(number, CONNECTOR, Optional.of(key), "t", 1, payload);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("violations")
  void a_rule_finds(String rule, Consumer<HandMadeHistory> steps) {
    assertThat(brokenBy(steps)).containsExactly(rule);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("allowed")
  void no_rule_finds(String description, Consumer<HandMadeHistory> steps) {
    assertThat(brokenBy(steps)).isEmpty();
  }

  /** A rule's name is a string with a space in the source of its class. */
  @Test
  void each_rule_is_seen_to_find_something() throws IOException {
    String source = Files.readString(FOLDER.resolve(rules.getSimpleName() + ".java"));
    Set<String> all =
        RULE.matcher(source).results().map(rule -> rule.group(1)).collect(Collectors.toSet());

    assertThat(all).isNotEmpty();
    assertThat(violations().map(it -> it.get()[0]).distinct())
        .containsExactlyInAnyOrderElementsOf(all);
  }

  private static List<String> brokenBy(Consumer<HandMadeHistory> steps) {
    HandMadeHistory history = new HandMadeHistory();
    steps.accept(history);
    return history.brokenRules();
  }
}
