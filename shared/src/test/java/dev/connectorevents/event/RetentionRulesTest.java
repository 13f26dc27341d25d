package dev.connectorevents.event;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.connectorevents.Promise;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetentionRulesTest {

  private static final Duration DEFAULT = Duration.ofDays(7);

  /** Zero days: for ever. */
  private static final String RULES =
      "shopify.*=365,shopify.customers/*=30,shopify.customers/create=0,github.*=90,a.b*=3650,"
          + "gitlab.Push *=60,a.x=y=1=5,a.x==6,a.d#1=4";

  @ParameterizedTest
  @CsvSource({
    "shopify.orders/create, 365",
    "shopify.customers/update, 30",
    "shopify.customers, 365",
    "shopify.customers/create, 0",
    "shopify.customers/created, 30",
    "github.push, 90",
    "a.b, 3650",
    "a.c, 7",
    "stripe.charge.failed, 7",
    "gitlab.Push Hook, 60",
    "gitlab.Push, 7",
    "a.x=y=1, 5",
    "a.x=, 6",
    "a.x, 7",
    "a.d#1, 4",
  })
  @Promise("The most specific pattern decides")
  void the_most_specific_rule_decides_or_else_the_default(String type, int days) {
    RetentionRules rules = RetentionRules.parse(RULES, DEFAULT);

    assertThat(rules.of(new EventType(type)).orElse(Duration.ZERO)).hasDays(days);
  }

  @Test
  void a_rule_for_all_types_replaces_the_default() {
    RetentionRules rules = RetentionRules.parse("*=0,a.b=1", DEFAULT);

    assertThat(rules.of(new EventType("a.b"))).hasValue(Duration.ofDays(1));
    assertThat(rules.of(new EventType("a.c"))).isEmpty();
  }

  @Test
  void without_rules_all_events_are_kept_for_the_same_time() {
    assertThat(RetentionRules.parse("", DEFAULT).of(new EventType("a.b"))).hasValue(DEFAULT);
    assertThat(RetentionRules.parse("", Duration.ZERO).of(new EventType("a.b"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a.*=1,a.*=2     | the rule a.*=2 is wrong: there are two rules for its pattern",
        "a.*=3651        | the rule a.*=3651 is wrong: days are 0 to 3650",
        "a.*=-1          | the rule a.*=-1 is wrong: it must be <pattern>=<days>",
        "a.*=01          | the rule a.*=01 is wrong: it must be <pattern>=<days>",
        "a.*=10000       | the rule a.*=10000 is wrong: it must be <pattern>=<days>",
        "a.*             | the rule a.* is wrong: it must be <pattern>=<days>",
        "a.*=1,          | the rule  is wrong: it must be <pattern>=<days>",
        "a.*=1, b.*=1    | the rule  b.*=1 is wrong: no event type matches its pattern",
        "A.*=1           | the rule A.*=1 is wrong: no event type matches its pattern",
        "=1              | the rule =1 is wrong: no event type matches its pattern",
        "a.b /*=1        | the rule a.b /*=1 is wrong: no event type matches its pattern",
        "a.b= 1          | the rule a.b= 1 is wrong: it must be <pattern>=<days>",
        "a.b=1=1,a.b=1=2 | the rule a.b=1=2 is wrong: there are two rules for its pattern",
      })
  @Promise("0 (for ever) to 3650")
  void a_wrong_rule_is_named(String rules, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RetentionRules.parse(rules, DEFAULT))
        .withMessage(message);
  }

  @Test
  @Promise("at most 20, with 200 characters in all; each pattern once")
  void there_are_at_most_20_rules_with_200_characters_in_all() {
    String twenty = IntStream.range(0, 20).mapToObj(i -> "a.b" + i + "=1").collect(joining(","));
    String longest = "a." + "b".repeat(RetentionRules.MAX_LENGTH - 4) + "=1";

    assertThat(RetentionRules.parse(twenty, DEFAULT).of(new EventType("a.b19")))
        .hasValue(Duration.ofDays(1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RetentionRules.parse(twenty + ",b.c=1", DEFAULT))
        .withMessage("21 rules with 155 characters in all; at most 20 rules with 200 are allowed");
    assertThat(RetentionRules.parse(longest, DEFAULT)).isNotNull();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RetentionRules.parse(longest + "0", DEFAULT))
        .withMessageContaining("201 characters");
  }
}
