package dev.connectorevents.local.inspector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.http.Fault;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FaultPlaceTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"a":1, "b" : "x\\"y" }        | /b        | "b" : "x\\"y"
          {"a":-1.5e3}                   | /a        | "a":-1.5e3
          {"a":{"b":[1,2]}}              | /a        | "a":{
          {"a":{"b":[1,{"c":null}]}}     | /a/b/1/c  | "c":null
          {"a":{"b":[10,20]}}            | /a/b/1    | 20
          {"a/b":{"~":true}}             | /a~1b/~0  | "~":true
          [7]                            | /0        | 7
          {"a":"first","x":"\uD83D\uDE00","b":2} | /b | "b":2
          """)
  void a_fault_marks_the_member_that_its_pointer_names(String body, String pointer, String marked) {
    List<FaultPlace> places = FaultPlace.of(body, List.of(new Fault(pointer, "a rule")));

    assertThat(places).hasSize(1);
    assertThat(body.substring(places.getFirst().start(), places.getFirst().end()))
        .isEqualTo(marked);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"a":1}   | /b
          {"a":1    | /b
          no JSON   | /b
          """)
  void what_is_not_there_has_no_mark(String body, String pointer) {
    assertThat(FaultPlace.of(body, List.of(new Fault(pointer, "a rule")))).isEmpty();
  }

  @Test
  void several_faults_are_marked_in_the_order_of_the_text() {
    List<Fault> faults = List.of(new Fault("/b", "B"), new Fault("/a", "A"), new Fault("", "all"));

    assertThat(FaultPlace.of("{\"a\":1,\"b\":2}", faults))
        .extracting(FaultPlace::detail)
        .containsExactly("all", "A", "B");
  }

  @ParameterizedTest
  @CsvSource({
    "'line 1, column 1', 0, 1",
    "'line 2, column 3', 5, 6",
    "'line 2, column 99', 7, 7",
  })
  void a_place_marks_a_character(String place, int start, int end) {
    String detail = "It is broken: " + place + ".";

    assertThat(FaultPlace.named("{,\n\"a\"}", detail))
        .containsExactly(new FaultPlace("", detail, start, end));
  }

  @Test
  void a_line_may_end_as_on_windows() {
    assertThat(FaultPlace.named("{\r\n\"a\":\r\n x}", "line 3, column 2"))
        .containsExactly(new FaultPlace("", "line 3, column 2", 10, 11));
  }

  @Test
  void a_place_outside_the_text_marks_nothing() {
    assertThat(FaultPlace.named("{}", "line 9, column 1")).isEmpty();
  }

  @Test
  void a_detail_without_a_place_marks_nothing() {
    assertThat(FaultPlace.named("{}", "It is broken.")).isEmpty();
  }
}
