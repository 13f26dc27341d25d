package dev.connectorevents.bench.coldstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ColdStartTableTest {

  @Test
  void a_row_has_medians_and_what_they_are_to_the_floor() {
    ColdStartTable table =
        new ColdStartTable(
            List.of(
                Results.of(Peers.FLOOR, List.of(), 100, 300, 200),
                Results.of("ours", List.of(1.0, 2.0, 3.0), 500)));

    assertThat(table.toString().lines().skip(2))
        .containsExactly(
            "| hello, event object | 200 | 20 | 220 | 1.00 | – | – | 100 | 7 | 12.0 |",
            "| ours | 500 | 50 | 550 | 2.50 | 2.00 | 3.00 | 100 | 7 | 12.0 |");
  }

  @Test
  void a_restored_function_has_no_cold_start() {
    ColdStartTable table =
        new ColdStartTable(List.of(Results.of("me" + OurFunctions.RESTORED, List.of(), 500)));

    assertThat(table.toString().lines().skip(2))
        .containsExactly("| me, from a snapshot | 500 | 50 | – | – | – | – | 100 | 7 | 12.0 |");
  }

  @Test
  void without_the_floor_nothing_is_compared_with_it() {
    ColdStartTable table = new ColdStartTable(List.of(Results.of("ours", List.of(), 500)));

    assertThat(table.toString().lines().skip(2))
        .containsExactly("| ours | 500 | 50 | 550 | – | – | – | 100 | 7 | 12.0 |");
  }
}
