package dev.connectorevents.emulator.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.emulator.template.TemplateMistake;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventFilterTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"a":["x"]}                     | {"a":"x"}         | true
          {"a":["x","y"]}                 | {"a":"y"}         | true
          {"a":["x"]}                     | {"a":"z"}         | false
          {"a":["x"]}                     | {}                | false
          {"a":[1]}                       | {"a":"1"}         | false
          {"a":{"b":["x"]},"c":["y"]}     | {"a":{"b":"x"}}   | false
          {"a":{"b":[{"exists":true}]}}   | {"a":{"b":""}}    | true
          {"a":{"b":[{"exists":true}]}}   | {"a":{}}          | false
          {"a":[{"exists":false}]}        | {}                | true
          {"a":[{"prefix":"shop."}]}      | {"a":"shop.x"}    | true
          {"a":[{"prefix":"shop."}]}      | {"a":"shops"}     | false
          """)
  void an_event_passes_if_each_member_of_a_pattern_matches(
      String pattern, String event, boolean passes) throws IOException {
    assertThat(EventFilter.of(List.of(pattern)).passes(new ObjectMapper().readTree(event)))
        .isEqualTo(passes);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{\"a\":[{\"numeric\":[\">\",1]}]}", "{", "{\"a\":[{\"exists\":1,\"b\":2}]}"})
  void a_comparison_that_is_unknown_here_is_refused(String pattern) {
    assertThatExceptionOfType(TemplateMistake.class)
        .isThrownBy(() -> EventFilter.of(List.of(pattern)));
  }
}
