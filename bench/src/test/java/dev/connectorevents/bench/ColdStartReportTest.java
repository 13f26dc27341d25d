package dev.connectorevents.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.bench.Candidates.Candidate;
import dev.connectorevents.bench.Result.Run;
import dev.connectorevents.emulator.runtime.LambdaRuntime;
import dev.connectorevents.emulator.runtime.LambdaRuntime.Initialization;
import dev.connectorevents.emulator.template.FunctionDefinition;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ColdStartReportTest {

  @Test
  void a_row_has_medians_and_the_ratio_of_each_round_to_the_floor() {
    assertThat(
            lines(
                result(Candidates.FLOOR, List.of(), 100, 400, 200, 300),
                result("ours", List.of(), 550, 600, 800)))
        .containsExactly(
            "| floor | 250 | 25 | 275 | 1.00 (1.00 to 1.00) | – | – | 100 |",
            "| ours | 600 | 60 | 660 | 4.00 (1.50 to 5.50) | – | – | 100 |");
  }

  @Test
  void a_restored_function_has_no_cold_start() {
    assertThat(
            lines(
                result(Candidates.FLOOR, List.of(), 100),
                result("me" + Candidates.RESTORED, List.of(List.of(1.0, 2.0), List.of(3.0)), 500)))
        .contains("| me, from a snapshot | 500 | 50 | – | – | 2.00 | 3.00 | 100 |");
  }

  @Test
  void without_the_floor_nothing_is_compared_with_it() {
    assertThat(lines(result("ours", List.of(), 500)))
        .containsExactly("| ours | 500 | 50 | 550 | – | – | – | 100 |");
  }

  @Test
  void builds_are_compared_round_by_round_as_far_as_both_were_measured() {
    assertThat(
            lines(
                result("me", turns(1.2, 1.8, 6), 200, 300),
                result("me" + Candidates.OTHER_BUILD, turns(1, 2), 100, 100)))
        .endsWith("| me | 2.50 (2.00 to 3.00) | 2.50 (2.00 to 3.00) | 1.05 (0.90 to 1.20) |");
  }

  /** The lines of the report, without the header of its first table. */
  private static List<String> lines(Result... results) {
    return new ColdStartReport(List.of(results)).toString().lines().skip(2).toList();
  }

  /** One turn for each time in {@code ms}. Each turn has one request. */
  private static List<List<Double>> turns(double... ms) {
    return Arrays.stream(ms).mapToObj(List::of).toList();
  }

  /**
   * A result with one run for each init time. The first request of a run takes a tenth of its init
   * time.
   */
  private static Result result(String name, List<List<Double>> warmTurns, int... initMs) {
    FunctionDefinition function =
        new FunctionDefinition(
            "Id",
            "Handler",
            Map.of(),
            Duration.ofSeconds(1),
            128,
            Optional.empty(),
            List.of(),
            List.of(),
            Optional.empty());
    LambdaRuntime runtime = new LambdaRuntime(Path.of("jars"), Path.of("library"), Path.of("task"));
    Initialization initialization =
        name.endsWith(Candidates.RESTORED) ? Initialization.SNAP_START : Initialization.ON_DEMAND;
    List<Run> runs =
        Arrays.stream(initMs).mapToObj(init -> new Run(init, init / 10.0, 100)).toList();
    return new Result(
        new Candidate(name, function, runtime, initialization, "{}"), runs, warmTurns);
  }
}
