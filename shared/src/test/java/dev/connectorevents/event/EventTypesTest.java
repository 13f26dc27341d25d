package dev.connectorevents.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventTypesTest {

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
    EventTypes scope = EventTypes.parse(text).orElseThrow();

    assertThat(scope.contains(new EventType("shopify.orders/create"))).isEqualTo(contains);
    assertThat(scope.containsAll()).isEqualTo(containsAll);
    assertThat(scope.text()).isEqualTo(text);
  }

  @Test
  void a_scope_has_1_to_20_patterns_each_once() {
    List<EventTypePattern> patterns =
        IntStream.range(0, 21).mapToObj(i -> new EventTypePattern("a.b" + i)).toList();

    assertThat(new EventTypes(patterns.subList(1, 21)).patterns()).hasSize(20);
    assertThatIllegalArgumentException().isThrownBy(() -> new EventTypes(patterns));
    assertThatIllegalArgumentException().isThrownBy(() -> new EventTypes(List.of()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new EventTypes(List.of(EventTypePattern.ANY, EventTypePattern.ANY)));
  }
}
