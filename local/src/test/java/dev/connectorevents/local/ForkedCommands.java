package dev.connectorevents.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.emulator.CommandOnPath;
import dev.connectorevents.emulator.CommandOnPath.Result;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.util.Map;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;

/**
 * Runs the operators' commands, such as {@code operate/user}. Each run is a new process, forked
 * from one running Python, which the test classes of a process share: a start of Python takes
 * longer than a command. A pause of a command takes a hundredth of its time. Without Python, the
 * tests are skipped.
 */
@SuppressWarnings("NullAway.Init")
final class ForkedCommands implements BeforeAllCallback {

  private static final String FORK_FOR_EACH_LINE =
      """
      import argparse, datetime, decimal, fcntl, hashlib, http.client, json, os, pty, re, runpy, shlex, shutil, \
          subprocess, sys, tempfile, time
      sys.path.insert(0, ".")
      sleep = time.sleep
      time.sleep = lambda seconds: sleep(seconds / 100)

      def execute(run):
          os.environ.update(run["environment"])
          sys.argv = shlex.split(run["command"])
          runpy.run_path(sys.argv[0], run_name="__main__")
          sys.exit()

      def without_terminal(run):
          with tempfile.TemporaryFile() as output:
              child = os.fork()
              if child == 0:
                  os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
                  os.dup2(output.fileno(), 1)
                  os.dup2(output.fileno(), 2)
                  execute(run)
              status = os.waitpid(child, 0)[1]
              output.seek(0)
              return status, output.read()

      def on_terminal(run):
          child, terminal = pty.fork()
          if child == 0:
              execute(run)
          os.write(terminal, run["typed"].encode() + b"\\n")
          output = b""
          try:
              while True:
                  output += os.read(terminal, 1000)
          except OSError:  # the command has closed its end
              os.close(terminal)
          return os.waitpid(child, 0)[1], output

      for line in sys.stdin:
          run = json.loads(line)
          status, output = (on_terminal if "typed" in run else without_terminal)(run)
          exit_code = os.waitstatus_to_exitcode(status)
          print(json.dumps({"exit": exit_code, "output": output.decode()}), flush=True)
      """;

  private static final ObjectMapper JSON = new ObjectMapper();

  private Python python;

  @Override
  public void beforeAll(ExtensionContext context) throws IOException, InterruptedException {
    CommandOnPath.assumeWorks("python3", "--version");
    python =
        context
            .getStore(StoreScope.LAUNCHER_SESSION, Namespace.create(ForkedCommands.class))
            .computeIfAbsent(Python.class, key -> Python.start(), Python.class);
  }

  /**
   * Runs a command without a terminal. The result's output includes the errors. The exit code of a
   * killed command is the negative number of the signal.
   *
   * @param command the command's words, quoted as for a shell
   */
  Result run(String command, Map<String, String> environment) throws IOException {
    return run(Map.of("command", command, "environment", environment));
  }

  /**
   * Runs a command on a terminal.
   *
   * @param typed the line to type on the terminal, without its line break
   */
  Result runOnTerminal(String typed, String command, Map<String, String> environment)
      throws IOException {
    return run(Map.of("typed", typed, "command", command, "environment", environment));
  }

  private Result run(Map<String, ?> run) throws IOException {
    JsonNode result = JSON.readTree(python.answer(JSON.writeValueAsString(run)));
    return new Result(result.get("exit").intValue(), result.get("output").textValue());
  }

  private record Python(Process process, Writer runs, BufferedReader results)
      implements AutoCloseable {

    static Python start() {
      try {
        Process process =
            new ProcessBuilder("python3", "-c", FORK_FOR_EACH_LINE)
                .directory(new File("../operate"))
                .redirectError(Redirect.INHERIT)
                .start();
        return new Python(process, process.outputWriter(UTF_8), process.inputReader(UTF_8));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    String answer(String line) throws IOException {
      runs.write(line + "\n");
      runs.flush();
      return requireNonNull(results.readLine(), "Python has ended");
    }

    @Override
    public void close() {
      process.destroy();
    }
  }
}
