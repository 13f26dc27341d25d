package dev.connectorevents.bench.coldstart;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What all functions run on.
 *
 * @param isPinned whether each function runs on one CPU, and all else on another
 * @param ambient variables that Lambda takes from where it runs: the region, the credentials
 * @param folder for what the processes write
 */
record Machine(boolean isPinned, Map<String, String> ambient, Path folder) {

  private static final List<String> ON_ONE_CPU = List.of("taskset", "-c", "0");

  Machine {
    ambient = Map.copyOf(ambient);
  }

  /**
   * Starts a process of a function.
   *
   * @param options of this JVM alone
   * @param runtimeApi host and port
   * @param output a file for what it writes
   */
  Process start(Candidate candidate, List<String> options, String runtimeApi, Path output)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command(candidate, options))
            .directory(candidate.runtime().task().toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(name -> !name.equals("PATH")); // AWS settings lead elsewhere
    environment.putAll(
        candidate.runtime().environment(candidate.function(), ambient, candidate.initialization()));
    environment.put("AWS_LAMBDA_RUNTIME_API", runtimeApi);
    return builder.start();
  }

  private List<String> command(Candidate candidate, List<String> options) {
    List<String> all = new ArrayList<>(candidate.options());
    all.addAll(options);
    List<String> command = new ArrayList<>(isPinned ? ON_ONE_CPU : List.of());
    command.addAll(
        candidate.runtime().command(candidate.function(), candidate.initialization(), all));
    return command;
  }
}
