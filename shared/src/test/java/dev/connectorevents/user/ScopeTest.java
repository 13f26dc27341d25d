package dev.connectorevents.user;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.connectorevents.event.EventType;
import dev.connectorevents.event.EventTypePattern;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScopeTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "shopify.*             | true  | false",
        "github.push,shopify.* | true  | false",
        "github.push           | false | false",
        "github.push,*         | true  | true",
      })
  void a_scope_contains_what_one_of_its_patterns_matches(
      String text, boolean contains, boolean containsAll) {
    Scope scope = Scope.parse(text).orElseThrow();

    assertThat(scope.contains(new EventType("shopify.orders/create"))).isEqualTo(contains);
    assertThat(scope.containsAll()).isEqualTo(containsAll);
    assertThat(scope.text()).isEqualTo(text);
  }

  @Test
  void a_scope_has_1_to_20_patterns_each_once() {
    List<EventTypePattern> patterns =
        IntStream.range(0, 21).mapToObj(i -> new EventTypePattern("a.b" + i)).toList();

    assertThat(new Scope(patterns.subList(1, 21)).patterns()).hasSize(20);
    assertThatIllegalArgumentException().isThrownBy(() -> new Scope(patterns));
    assertThatIllegalArgumentException().isThrownBy(() -> new Scope(List.of()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Scope(List.of(EventTypePattern.ANY, EventTypePattern.ANY)));
  }
}
