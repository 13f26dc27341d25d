package dev.connectorevents.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.emulator.CommandOnPath.Result;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.util.Map;

/**
 * Runs the operators' commands, such as `local/user`, without a terminal. Each run is a process of
 * its own, forked from one Python: to start Python takes longer than the command.
 */
final class ForkedCommands implements AutoCloseable {

  private static final String FORK_FOR_EACH_LINE =
      """
      import argparse, datetime, hashlib, http.client, json, os, re, runpy, shlex, subprocess, sys, tempfile, time
      sys.path.insert(0, ".")
      for line in sys.stdin:
          run = json.loads(line)
          with tempfile.TemporaryFile() as output:
              child = os.fork()
              if child == 0:
                  os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
                  os.dup2(output.fileno(), 1)
                  os.dup2(output.fileno(), 2)
                  os.environ.update(run["environment"])
                  sys.argv = shlex.split(run["command"])
                  runpy.run_path(sys.argv[0], run_name="__main__")
                  sys.exit()
              exit_code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
              output.seek(0)
              print(json.dumps({"exit": exit_code, "output": output.read().decode()}), flush=True)
      """;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Process python;
  private final Writer runs;
  private final BufferedReader results;

  ForkedCommands() throws IOException {
    python =
        new ProcessBuilder("python3", "-c", FORK_FOR_EACH_LINE)
            .redirectError(Redirect.INHERIT)
            .start();
    runs = python.outputWriter(UTF_8);
    results = python.inputReader(UTF_8);
  }

  /**
   * Runs a command, whose errors are part of its output.
   *
   * @param command its words, quoted as for a shell
   */
  Result run(String command, Map<String, String> environment) throws IOException {
    runs.write(
        JSON.writeValueAsString(Map.of("command", command, "environment", environment)) + "\n");
    runs.flush();
    JsonNode result = JSON.readTree(requireNonNull(results.readLine(), "Python has ended"));
    return new Result(result.get("exit").intValue(), result.get("output").textValue());
  }

  @Override
  public void close() {
    python.destroy();
  }
}
