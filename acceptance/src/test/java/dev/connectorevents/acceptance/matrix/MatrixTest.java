package dev.connectorevents.acceptance.matrix;

import static org.assertj.core.api.Assertions.assertThat;

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

/** Checks docs/failing-calls.md: the outcome of each function if one of its calls to AWS fails. */
class MatrixTest {

  private static final String OK = "ok";
  private static final String RETRIED = "retried";
  private static final Path DOCUMENTED = Path.of("../docs/failing-calls.md");
  private static final EnumSet<AwsFault> FAULTS = EnumSet.complementOf(EnumSet.of(AwsFault.NONE));

  private static final Set<String> SURVIVED = Set.of(OK, RETRIED, Matrix.UNAVAILABLE, Matrix.ERROR);

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

    String title() {
      return "| %s | %s |".formatted(function, call);
    }
  }

  MatrixTest() {
    // Another cost than that of the users' hashes, so that a login replaces the hash.
    world = World.start(new Setup().inProcess().parameters(Map.of("BcryptCost", "5")));
    matrix = new Matrix(Stage.make(world));
  }

  @Test
  void every_call_that_a_function_makes_has_its_row() throws IOException {
    List<String> rows = rows().stream().map(MatrixRow::title).toList();

    assertThat(Files.readAllLines(DOCUMENTED))
        .filteredOn(line -> line.startsWith("| ") && line.contains("Function |"))
        .map(line -> rows.stream().filter(line::startsWith).findFirst().orElse("no call: " + line))
        .containsExactlyElementsOf(rows);
    for (FunctionDefinition function : world.template().functions()) {
      assertThat(UsedRights.of(function))
          .as("calls of " + function.id())
          .map(Right::toString)
          .containsAll(
              function.rights().stream()
                  .filter(right -> !right.isOnStream()) // Lambda uses it in the function's name
                  .map(Right::toString)
                  .toList());
    }
  }

  @Test
  @Tag("nightly")
  void every_fault_of_every_call_ends_in_success_or_in_503() throws Exception {
    List<String> lines = new ArrayList<>();
    Semaphore free = new Semaphore(AT_THE_SAME_TIME, true);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Map<MatrixRow, List<Future<String>>> cells = new LinkedHashMap<>();
      for (MatrixRow row : rows()) {
        cells.put(
            row,
            FAULTS.stream().map(fault -> threads.submit(() -> cell(row, fault, free))).toList());
      }
      for (Map.Entry<MatrixRow, List<Future<String>>> row : cells.entrySet()) {
        List<String> texts = new ArrayList<>();
        for (Future<String> cell : row.getValue()) {
          assertThat(cell.get()).as(row.getKey().title()).isIn(SURVIVED);
          texts.add(cell.get());
        }
        lines.add(row.getKey().title() + " " + String.join(" | ", texts) + " |");
      }
    }
    String table = header() + String.join("\n", lines) + "\n";
    Files.writeString(Path.of("target", "matrix.md"), table);

    assertThat(Files.readString(DOCUMENTED)).as("target/matrix.md").contains(table);
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
