package dev.connectorevents.acceptance.examples;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

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

  /**
   * Each signal: brand, event type, count, first and last time, and the ids of its events. Empty if
   * it was killed before it had tables.
   */
  List<String> signals() throws SQLException {
    boolean hasTables = !sql("SELECT 1 FROM sqlite_schema WHERE name = 'signals'").isEmpty();
    return hasTables ? sql(SIGNALS) : List.of();
  }

  /** The last order of each brand: brand, time and total. */
  List<String> lastOrders() throws SQLException {
    return sql("SELECT * FROM last_orders ORDER BY 1");
  }

  /** How many positions of the feed were left after its last page. */
  List<String> behind() throws SQLException {
    return sql("SELECT behind FROM place");
  }

  /** Runs this SQL on the file, and returns the rows: their columns, with a space between two. */
  List<String> sql(String sql) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Connection database = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = database.createStatement()) {
      if (statement.execute(sql)) {
        ResultSet result = statement.getResultSet();
        int columns = result.getMetaData().getColumnCount();
        while (result.next()) {
          List<String> row = new ArrayList<>();
          for (int column = 1; column <= columns; column++) {
            row.add(result.getString(column));
          }
          rows.add(String.join(" ", row));
        }
      }
    }
    return rows;
  }

  private Path folder() {
    return requireNonNull(file.getParent());
  }
}
