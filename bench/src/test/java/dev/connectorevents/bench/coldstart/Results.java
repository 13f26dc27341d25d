package dev.connectorevents.bench.coldstart;

import dev.connectorevents.bench.coldstart.Candidates.Candidate;
import dev.connectorevents.bench.coldstart.Deployments.Deployment;
import dev.connectorevents.bench.coldstart.Result.Run;
import dev.connectorevents.emulator.runtime.LambdaRuntime;
import dev.connectorevents.emulator.runtime.LambdaRuntime.Initialization;
import dev.connectorevents.emulator.template.FunctionDefinition;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Invented results for tests of the report. */
final class Results {

  private Results() {}

  /**
   * A result with one run for each init time. The first request of a run takes a tenth of its init
   * time.
   */
  static Result of(String name, List<List<Double>> warmTurns, int... initMs) {
    Initialization initialization =
        name.endsWith(Candidates.RESTORED) ? Initialization.SNAP_START : Initialization.ON_DEMAND;
    LambdaRuntime runtime = new LambdaRuntime(Path.of("jars"), Path.of("library"), Path.of("task"));
    List<Run> runs =
        Arrays.stream(initMs).mapToObj(init -> new Run(init, init / 10.0, 100)).toList();
    return new Result(
        new Candidate(
            name,
            function(),
            new Deployment(runtime, 12_000_000),
            initialization,
            "{}",
            0,
            Waits.NONE),
        runs,
        warmTurns,
        Collections.nCopies(7, "java.lang.Object"));
  }

  private static FunctionDefinition function() {
    return new FunctionDefinition(
        "Id",
        "Handler",
        Map.of(),
        Duration.ofSeconds(1),
        128,
        Optional.empty(),
        List.of(),
        List.of(),
        Optional.empty());
  }
}
