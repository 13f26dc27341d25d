package dev.connectorevents.acceptance.search;

import static dev.connectorevents.acceptance.search.HandMadeHistory.CONNECTOR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The tests of one class of rules, such as {@link ListRules}. Each case is a hand-made history,
 * which the rules of all classes judge.
 */
@TestInstance(Lifecycle.PER_CLASS)
abstract class RuleCases {

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

  /** Histories, each with the only rule that it breaks. */
  abstract Stream<Arguments> brokenRules();

  /** Histories that come close to breaking a rule, but break none. */
  abstract Stream<Arguments> keptRules();

  static Arguments breaks(Rule rule, Consumer<HandMadeHistory> steps) {
    return arguments(rule, steps);
  }

  static Arguments keeps(String description, Consumer<HandMadeHistory> steps) {
    return arguments(description, steps);
  }

  static Event event(int number, String key) {
    String payload = "{\"n\":%d, \"x\":1}".formatted(number);
    return new Event(number, CONNECTOR, Optional.of(key), "t", 1, payload);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("brokenRules")
  void a_history_breaks_one_rule(Rule rule, Consumer<HandMadeHistory> steps) {
    assertThat(brokenBy(steps)).containsExactly(rule);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("keptRules")
  void a_history_keeps_all_rules(String description, Consumer<HandMadeHistory> steps) {
    assertThat(brokenBy(steps)).isEmpty();
  }

  private static List<Rule> brokenBy(Consumer<HandMadeHistory> steps) {
    HandMadeHistory history = new HandMadeHistory();
    steps.accept(history);
    return history.brokenRules();
  }
}
