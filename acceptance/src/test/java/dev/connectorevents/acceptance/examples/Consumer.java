package dev.connectorevents.acceptance.examples;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Runs of {@code examples/consumer.py} with one file.
 *
 * @param options before the file
 * @param settings {@code API_URL} and the user's
 */
record Consumer(List<String> options, Path file, Map<String, String> settings) {

  Consumer(Path file, Map<String, String> settings) {
    this(List.of(), file, settings);
  }

  /** This one, as one of several readers. */
  Consumer of(String share) {
    return new Consumer(List.of("--share", share), file, settings);
  }

  /** This one, up to a position. */
  Consumer until(String position) {
    return new Consumer(List.of("--until", position), file, settings);
  }

  /**
   * Runs the consumer until it has read all that the feed has, and exits then with 0. If {@code
   * LINE} is at least 0, it is killed when it has executed so many lines of its functions.
   */
  private static final String ONCE =
      """
      import os, runpy, signal, sys, time

      lines = int(sys.argv.pop(1))

      def trace(frame, event, argument):
          global lines
          if os.path.basename(frame.f_code.co_filename) != "consumer.py":
              return None
          if event == "line" and frame.f_code.co_name != "<module>":
              if lines == 0:
                  print("killed in", frame.f_code.co_name, file=sys.stderr, flush=True)
                  os.kill(os.getpid(), signal.SIGKILL)
              lines -= 1
          return trace

      time.sleep = lambda seconds: os._exit(0)
      if lines >= 0:
          sys.settrace(trace)
      runpy.run_path("../examples/consumer.py", run_name="__main__")
      """;

  private static final String SQL =
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as database:
          for row in database.execute(sys.argv[2]):
              print(*row)
      """;

  private static final String SIGNALS =
      """
      SELECT s.*, group_concat(id) FROM signals s LEFT JOIN (SELECT * FROM events ORDER BY id)
      USING (brand_id, event_type) GROUP BY 1, 2 ORDER BY 1, 2\
      """;

  /** Starts it as its users do. */
  Process start(String... since) throws IOException {
    List<String> command = new ArrayList<>(List.of("python3", "../examples/consumer.py"));
    command.addAll(options);
    command.add(file.toString());
    command.addAll(List.of(since));
    return Examples.process(command, settings).redirectError(Redirect.INHERIT).start();
  }

  /** Reads all that the feed has. */
  ScriptRun readAll(String... since) throws IOException, InterruptedException {
    return run(-1, since);
  }

  /** As the other, but killed before this line. Without a kill, the exit code is 0. */
  ScriptRun killedAt(int line) throws IOException, InterruptedException {
    return run(line);
  }

  private ScriptRun run(int line, String... since) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("python3", "-c", ONCE, line + ""));
    command.addAll(options);
    command.add(file.toString());
    command.addAll(List.of(since));
    return ScriptRun.of(command, settings, folder());
  }

  /** Each signal: brand, event type, count, first and last time, and the ids of its events. */
  List<String> signals() throws IOException, InterruptedException {
    return sql(SIGNALS);
  }

  /** The last order of each brand: brand, time and total. */
  List<String> lastOrders() throws IOException, InterruptedException {
    return sql("SELECT * FROM last_orders ORDER BY 1");
  }

  /** How many positions of the feed were left after its last page. */
  List<String> behind() throws IOException, InterruptedException {
    return sql("SELECT behind FROM place");
  }

  /** Runs this SQL on the file, and returns the rows. */
  List<String> sql(String sql) throws IOException, InterruptedException {
    Path output = Files.createTempFile(folder(), "rows", "");
    Process query =
        Examples.process(List.of("python3", "-c", SQL, file.toString(), sql), settings)
            .redirectOutput(output.toFile())
            .start();
    assertThat(query.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return Files.readAllLines(output);
  }

  private Path folder() {
    return requireNonNull(file.getParent());
  }
}
