package dev.connectorevents.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.connectorevents.Promise;
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "github.*         | true",
        "github.pu*       | true",
        "x.y,github.push  | true",
        "*                | false",
        "githubs.*        | false",
        "git.hub,github_.* | false",
      })
  void a_scope_names_the_providers_of_its_patterns(String text, boolean named) {
    assertThat(EventTypes.parse(text).orElseThrow().names("github")).isEqualTo(named);
  }

  /** Columns: two sets, and whether an event type may be in both. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "*         | a.b       | true",
        "a.*       | a.b       | true",
        "a.*       | a.b*      | true",
        "a.b*      | a.bc*     | true",
        "a.b*      | a.c*      | false",
        "a.*       | ab.*      | false",
        "a.b       | a.b       | true",
        "a.b       | a.bc      | false",
        "a.b*      | a.b       | true",
        "a.bc*     | a.b       | false",
        "x.y,a.b   | a.c*,a.b* | true",
        "x.y,a.b   | a.c*,x.z  | false",
      })
  @Promise("If no event type can match both `event_type` and the scope, the list gets 403.")
  void two_sets_overlap_if_an_event_type_may_be_in_both(String one, String other, boolean overlap) {
    EventTypes types = EventTypes.parse(one).orElseThrow();
    EventTypes others = EventTypes.parse(other).orElseThrow();

    assertThat(types.overlaps(others)).isEqualTo(overlap);
    assertThat(others.overlaps(types)).isEqualTo(overlap);
  }

  @Test
  @Promise("its scope: `event_types`, 1 to 20 patterns.")
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
