package dev.connectorevents.bench.coldstart;

import dev.connectorevents.local.runtime.LambdaRuntime;
import dev.connectorevents.local.runtime.LambdaRuntime.Initialization;
import dev.connectorevents.local.template.FunctionDefinition;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Results of runs that nobody made. */
final class Results {

  private Results() {}

  /** Of as many runs as there are init times; first requests took a tenth of those. */
  static Result of(String name, List<Double> warmMs, int... initMs) {
    Initialization initialization =
        name.endsWith(OurFunctions.RESTORED) ? Initialization.SNAP_START : Initialization.ON_DEMAND;
    List<Run> runs =
        Arrays.stream(initMs).mapToObj(init -> new Run(init, init / 10.0, 100)).toList();
    return new Result(
        new Candidate(
            name, function(), runtime(), initialization, List.of(), "{}", true, 12_000_000),
        runs,
        warmMs,
        Collections.nCopies(7, "java.lang.Object"));
  }

  private static LambdaRuntime runtime() {
    return new LambdaRuntime(Path.of("jars"), Path.of("library"), Path.of("task"));
  }

  private static FunctionDefinition function() {
    return new FunctionDefinition(
        "Id",
        "name",
        "Handler",
        Map.of(),
        Duration.ofSeconds(1),
        128,
        Optional.empty(),
        List.of(),
        List.of());
  }
}
