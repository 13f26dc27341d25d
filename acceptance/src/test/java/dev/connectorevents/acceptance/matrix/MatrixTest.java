package dev.connectorevents.acceptance.matrix;

import static java.nio.file.StandardOpenOption.APPEND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.service.AwsFault;
import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.acceptance.service.UsedRights;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.emulator.template.FunctionDefinition;
import dev.connectorevents.emulator.template.Right;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Makes each call of each function to AWS, with the rights that it needs. At night, lets each fail
 * in each way, once and always, and writes the table of the outcomes.
 */
class MatrixTest {

  private static final String OK = "ok";
  private static final String RETRIED = "retried";
  private static final Path CALLS = Path.of("target/calls.txt");
  private static final Path TABLE = Path.of("target/failing-calls.md");
  private static final EnumSet<AwsFault> FAULTS = EnumSet.complementOf(EnumSet.of(AwsFault.NONE));

  /** No client waits for these functions: they throw, and their caller calls them again. */
  private static final Set<String> WITHOUT_CLIENT =
      Set.of("NumberEventsFunction", "BeatFeedFunction", "RotateSigningKeyFunction");

  /** The label has moved, so Secrets Manager refuses a retry. The step finds this when repeated. */
  private static final String MOVES_A_LABEL = "UpdateSecretVersionStage AWSCURRENT";

  private static final Set<AwsFault> LOSE_THE_ANSWER =
      EnumSet.of(AwsFault.LOST_ANSWER, AwsFault.CUT_ANSWER, AwsFault.GARBLED_ANSWER);

  /**
   * The maximum number of the table's cells that run at the same time. With more, some would time
   * out.
   */
  private static final int AT_THE_SAME_TIME = 6;

  @AutoClose private final World world;
  private final Matrix matrix;

  /**
   * A row of the table: a function, one of its calls to AWS, a scenario that makes this call, and
   * the scenario's outcome without faults.
   */
  private record MatrixRow(String function, String call, Scenario scenario, String sound) {
    /** {@link #OK} if the outcome is the same as without a fault; otherwise the outcome. */
    String named(String outcome) {
      return outcome.equals(sound) ? OK : outcome;
    }

    /** The outcome that the rule demands. */
    String expected(AwsFault fault) {
      String failed = WITHOUT_CLIENT.contains(function) ? Matrix.ERROR : Matrix.UNAVAILABLE;
      return switch (fault) {
        case NONE, SLOW -> OK;
        case EXPIRED_CREDENTIALS, ACCESS_DENIED -> failed; // a retry would fail too
        default -> call.equals(MOVES_A_LABEL) && LOSE_THE_ANSWER.contains(fault) ? failed : RETRIED;
      };
    }

    String title() {
      return "| %s | %s |".formatted(function, call);
    }
  }

  MatrixTest() {
    // Another cost than that of the users' hashes, so that a login replaces the hash.
    world = World.start(new Setup().inProcess().parameters(Map.of("BcryptCost", "5")));
    matrix = new Matrix(Stage.make(world));
  }

  /** {@code ContractCoverageTest} then compares the scenarios' calls with those of all tests. */
  @Test
  @Promise("Only login reads password hashes, which have a table of their own.")
  void every_function_has_the_rights_that_it_uses_and_no_other() throws IOException {
    List<MatrixRow> rows = rows();
    Files.write(CALLS, rows.stream().map(MatrixRow::title).toList());

    assertThat(rows).allMatch(row -> row.sound().matches("[24]\\d\\d"));
    for (FunctionDefinition function : world.template().functions()) {
      assertThat(UsedRights.of(function))
          .as("calls of " + function.id())
          .map(Right::toString)
          .containsExactlyInAnyOrderElementsOf(
              function.rights().stream()
                  .filter(right -> !right.isOnStream()) // Lambda uses it in the function's name
                  .map(Right::toString)
                  .collect(Collectors.toSet()));
    }
  }

  @Test
  @Tag("nightly")
  void every_fault_of_every_call_ends_as_the_rule_says() throws Exception {
    Map<MatrixRow, List<String>> outcomes = new LinkedHashMap<>();
    Semaphore free = new Semaphore(AT_THE_SAME_TIME, true);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Map<MatrixRow, List<Future<String>>> cells = new LinkedHashMap<>();
      List<MatrixRow> rows = new ArrayList<>(rows());
      rows.sort(
          Comparator.comparing(row -> !row.scenario().isAlone())); // their scans: no events yet
      for (MatrixRow row : rows) {
        cells.put(
            row,
            FAULTS.stream().map(fault -> threads.submit(() -> cell(row, fault, free))).toList());
      }
      for (Map.Entry<MatrixRow, List<Future<String>>> row : cells.entrySet()) {
        List<String> texts = new ArrayList<>();
        for (Future<String> cell : row.getValue()) {
          texts.add(cell.get());
        }
        outcomes.put(row.getKey(), texts);
      }
    }
    Files.writeString(TABLE, header());
    for (Map.Entry<MatrixRow, List<String>> row : outcomes.entrySet()) {
      String line = row.getKey().title() + " " + String.join(" | ", row.getValue()) + " |\n";
      Files.writeString(TABLE, line, APPEND);
    }

    assertThat(outcomes)
        .allSatisfy((row, texts) ->
            assertThat(texts)
                .as(row.title())
                .containsExactlyElementsOf(FAULTS.stream().map(row::expected).toList()));
  }

  private static String header() {
    return FAULTS.stream()
            .map(AwsFault::toString)
            .collect(Collectors.joining(" | ", "| function | call | ", " |\n"))
        + "|---|---|"
        + "---|".repeat(FAULTS.size())
        + "\n";
  }

  private String cell(MatrixRow row, AwsFault fault, Semaphore free) throws InterruptedException {
    int most = row.scenario().isAlone() ? AT_THE_SAME_TIME : 1;
    free.acquire(most);
    try {
      String once = row.named(matrix.once(row.scenario(), row.call(), fault));
      String always = row.named(matrix.always(row.scenario(), row.call(), fault));
      boolean isRetried = once.equals(OK) && !always.equals(OK);
      return isRetried ? RETRIED : always.equals(once) ? always : once + ", then " + always;
    } finally {
      free.release(most);
    }
  }

  /**
   * The rows of the table, in the order of the template. Some calls of a scenario run concurrently,
   * so this method sorts them.
   */
  private List<MatrixRow> rows() {
    Map<String, MatrixRow> rows = new LinkedHashMap<>();
    for (FunctionDefinition function : world.template().functions()) {
      for (Scenario scenario : Scenario.ALL) {
        if (scenario.function().equals(function.id())) {
          Matrix.Outcome outcome = matrix.run(scenario);
          for (String call : outcome.calls().stream().sorted().toList()) {
            MatrixRow row = new MatrixRow(function.id(), call, scenario, outcome.text());
            rows.putIfAbsent(row.title(), row);
          }
        }
      }
    }
    return List.copyOf(rows.values());
  }
}
