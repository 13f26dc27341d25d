package dev.connectorevents.bench.coldstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ColdStartReportTest {

  @Test
  void a_row_has_medians_and_what_they_are_to_the_floor() {
    assertThat(
            lines(
                Results.of(Candidates.FLOOR, List.of(), 100, 400, 200, 300),
                Results.of("ours", List.of(List.of(1.0, 2.0), List.of(3.0)), 550, 600, 800)))
        .containsExactly(
            "| hello, event object | 250 | 25 | 275 | 1.00 (1.00 to 1.00) | – | – | 100 | 7 | 12.0 |",
            "| ours | 600 | 60 | 660 | 4.00 (1.50 to 5.50) | 2.00 | 3.00 | 100 | 7 | 12.0 |");
  }

  @Test
  void a_restored_function_has_no_cold_start() {
    assertThat(lines(Results.of("me" + Candidates.RESTORED, List.of(), 500)))
        .containsExactly("| me, from a snapshot | 500 | 50 | – | – | – | – | 100 | 7 | 12.0 |");
  }

  @Test
  void without_the_floor_nothing_is_compared_with_it() {
    assertThat(lines(Results.of("ours", List.of(), 500)))
        .containsExactly("| ours | 500 | 50 | 550 | – | – | – | 100 | 7 | 12.0 |");
  }

  @Test
  void rows_are_compared_round_by_round_as_far_as_they_were_measured() {
    assertThat(
            lines(
                Results.of(Candidates.BARE_PUT_ITEM, turns(1, 2, 4), 180),
                Results.of(Candidates.BARE_BCRYPT, turns(200), 180),
                Results.of(Candidates.LOGIN + Candidates.RESTORED, turns(203), 180),
                Results.of(Candidates.CREATE_EVENT, turns(1.2, 1.8, 6), 200),
                Results.of(Candidates.CREATE_EVENT + Candidates.PROVISIONED, List.of(), 400, 100),
                Results.of(Candidates.CREATE_EVENT + Candidates.RESTORED, turns(0.9), 10, 50)))
        .contains(
            "| first of createevent, from a snapshot ÷ createevent, provisioned | 0.26 (0.03 to 0.50) |",
            "| warm p50 of createevent ÷ bare PutItem, CRT | 1.20 (0.90 to 1.50) |",
            "| warm p50 of login, from a snapshot ÷ bare bcrypt, provisioned | 1.02 (1.02 to 1.02) |")
        .noneMatch(line -> line.contains("÷ bare PutItem, CRT, provisioned"))
        .noneMatch(line -> line.contains("÷ plain SDK"))
        .endsWith("| java.* | 7 | the JDK's own: collections, streams, time, crypto … |");
  }

  @Test
  void a_function_is_compared_with_the_other_build() {
    assertThat(
            lines(
                Results.of("me", turns(1, 3), 200),
                Results.of("me" + Candidates.OTHER_BUILD, turns(2, 2), 100)))
        .contains(
            "| cold of me ÷ me, other build | 2.00 (2.00 to 2.00) |",
            "| first of me ÷ me, other build | 2.00 (2.00 to 2.00) |",
            "| warm p50 of me ÷ me, other build | 1.00 (0.50 to 1.50) |");
  }

  /** One turn for each time in {@code ms}. Each turn has one request. */
  private static List<List<Double>> turns(double... ms) {
    return Arrays.stream(ms).mapToObj(List::of).toList();
  }

  @Test
  void nothing_measured_is_nothing_printed() {
    assertThat(new ColdStartReport(List.of()).toString()).isEmpty();
  }

  /** The lines of the report, without the header of its first table. */
  private static List<String> lines(Result... results) {
    return new ColdStartReport(List.of(results)).toString().lines().skip(2).toList();
  }
}
