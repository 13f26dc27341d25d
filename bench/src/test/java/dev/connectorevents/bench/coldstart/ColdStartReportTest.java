package dev.connectorevents.bench.coldstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ColdStartReportTest {

  @Test
  void a_row_has_medians_and_what_they_are_to_the_floor() {
    assertThat(
            lines(
                Results.of(Candidates.FLOOR, List.of(), 100, 400, 200, 300),
                Results.of("ours", List.of(1.0, 2.0, 3.0), 550)))
        .containsExactly(
            "| hello, event object | 250 | 25 | 275 | 1.00 | – | – | 100 | 7 | 12.0 |",
            "| ours | 550 | 55 | 605 | 2.20 | 2.00 | 3.00 | 100 | 7 | 12.0 |");
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
  void rows_are_compared_as_far_as_they_were_measured() {
    assertThat(
            lines(
                Results.of(Candidates.BARE_PUT_ITEM, List.of(1.0), 180),
                Results.of(Candidates.BARE_BCRYPT, List.of(200.0), 180),
                Results.of(Candidates.LOGIN + Candidates.RESTORED, List.of(203.0), 180),
                Results.of(Candidates.CREATE_EVENT, List.of(1.2), 200),
                Results.of(Candidates.CREATE_EVENT + Candidates.PROVISIONED, List.of(), 300),
                Results.of(Candidates.CREATE_EVENT + Candidates.RESTORED, List.of(0.9), 10)))
        .contains(
            "| first ms of createevent, from a snapshot ÷ createevent, provisioned | 0.033 |",
            "| warm p50 of createevent ÷ bare PutItem, CRT | 1.200 |",
            "| warm p50 of login, from a snapshot ÷ bare bcrypt, provisioned | 1.015 |")
        .noneMatch(line -> line.contains("÷ bare PutItem, CRT, provisioned"))
        .noneMatch(line -> line.contains("÷ plain SDK"))
        .endsWith("| java.* | 7 | the JDK's own: collections, streams, time, crypto … |");
  }

  @Test
  void nothing_measured_is_nothing_printed() {
    assertThat(new ColdStartReport(List.of()).toString()).isEmpty();
  }

  /** The rows of the first table, without its header. */
  private static List<String> lines(Result... results) {
    return new ColdStartReport(List.of(results)).toString().lines().skip(2).toList();
  }
}
