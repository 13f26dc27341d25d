package dev.connectorevents.acceptance.search;

import static dev.connectorevents.acceptance.search.HandMadeHistory.CONNECTOR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** The cases of the rules: a history made by hand, and the rule that it breaks. */
final class RuleCases {

  static final Path FOLDER = Path.of("src/test/java/dev/connectorevents/acceptance/search");

  static final String CODE = "{\"code\":\"x\"}";
  static final String CONFLICT = "{\"code\":\"idempotency_key_reused\"}";
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

  private RuleCases() {}

  static Arguments when(String name, Consumer<HandMadeHistory> steps) {
    return arguments(name, steps);
  }

  static Event event(int number, String key) {
    String payload = "{\"n\":%d, \"x\":1}".formatted(number);
    return new Event(number, CONNECTOR, Optional.of(key), "t", 1, payload);
  }

  static String me(Account account) {
    return "{\"id\":\"%s\"}".formatted(account.id());
  }

  /** All rules judge the history. Only this one finds something. */
  static void assertFinds(String rule, Consumer<HandMadeHistory> steps) {
    assertThat(brokenBy(steps)).containsExactly(rule);
  }

  static void assertFindsNothing(Consumer<HandMadeHistory> steps) {
    assertThat(brokenBy(steps)).isEmpty();
  }

  /** The rules of a class are the strings with a space in its source. */
  static void assertFoundByEachRuleOf(Class<?> rules, Stream<Arguments> cases) throws IOException {
    String source = Files.readString(FOLDER.resolve(rules.getSimpleName() + ".java"));
    Set<String> all =
        RULE.matcher(source).results().map(rule -> rule.group(1)).collect(Collectors.toSet());

    assertThat(all).isNotEmpty();
    assertThat(cases.map(it -> it.get()[0]).distinct()).containsExactlyInAnyOrderElementsOf(all);
  }

  private static Iterable<String> brokenBy(Consumer<HandMadeHistory> steps) {
    HandMadeHistory history = new HandMadeHistory();
    steps.accept(history);
    return history.brokenRules();
  }
}
