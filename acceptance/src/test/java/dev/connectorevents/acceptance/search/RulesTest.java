package dev.connectorevents.acceptance.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RulesTest {

  /** The rules without a hand-made history: {@link Audit} checks them itself, during a run. */
  private static final Set<Rule> OUTSIDE_OF_HISTORIES =
      EnumSet.of(Rule.A_RETRY_GOT_NO_FINAL_ANSWER);

  @Test
  void each_rule_is_broken_by_a_history() {
    Set<Object> broken =
        Stream.of(
                new TokenRulesTest(),
                new LoginRulesTest(),
                new EventRulesTest(),
                new ListRulesTest(),
                new ErasureRulesTest(),
                new ScopeRulesTest())
            .flatMap(RuleCases::brokenRules)
            .map(arguments -> arguments.get()[0])
            .collect(Collectors.toSet());

    assertThat(broken).isEqualTo(EnumSet.complementOf(EnumSet.copyOf(OUTSIDE_OF_HISTORIES)));
  }
}
