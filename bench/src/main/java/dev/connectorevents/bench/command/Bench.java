package dev.connectorevents.bench.command;

import dev.connectorevents.bench.SampleRequest;
import dev.connectorevents.bench.bill.Bill;
import dev.connectorevents.bench.coldstart.ColdStart;
import dev.connectorevents.bench.scale.Scale;
import dev.connectorevents.bench.speed.FailedLogins;
import dev.connectorevents.bench.speed.Speeds;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.openjdk.jmh.runner.RunnerException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands of {@code bench/run}, which {@code bench/run --help} explains. */
@Command(name = "bench/run")
final class Bench {

  /**
   * Milliseconds that Lambda bills for a warm request, as measured in {@code docs/performance.md}.
   */
  private static final double DURATION_MS = 7;

  /**
   * The assumed milliseconds that Lambda bills for a batch. {@code docs/performance.md} measures
   * less than a third of this value on a whole CPU. A batch keeps its CPU busy. A function gets a
   * whole CPU at 1,769 MB, but ours has 1,024 MB, so a batch takes 1.7 times as long. The rest is
   * margin.
   *
   * @see <a href="https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html">Memory
   *     and CPU</a>
   */
  private static final double BATCH_MS = 50;

  private static final int LOG_BYTES = 576;

  private final PrintStream output;

  @Option(names = "--root", required = true)
  private Path root = Path.of("");

  private Bench(PrintStream output) {
    this.output = output;
  }

  /** Runs a command. Exits with 2 if the arguments are wrong or a measurement fails. */
  public static void main(String[] arguments) {
    PrintStream output = System.out;
    System.setOut(System.err); // JMH's progress and the functions' log lines go there
    System.exit(commandLine(output).execute(arguments));
  }

  static CommandLine commandLine(PrintStream output) {
    return new CommandLine(new Bench(output))
        .setParameterExceptionHandler((mistake, arguments) -> failed(mistake))
        .setExecutionExceptionHandler((failure, command, arguments) -> failed(failure));
  }

  private static int failed(Exception failure) {
    System.err.println("bench/run: " + failure.getMessage());
    return 2;
  }

  @Command
  void jmh(@Parameters(defaultValue = ".*") String benchmarks) throws RunnerException {
    output.print(Speeds.measure(benchmarks));
  }

  /** Returns 1 as the exit code if the service did not store a payload. */
  @Command
  int bill(
      @Parameters(arity = "0..1") Optional<Path> folder,
      @Option(names = "--duration-ms", defaultValue = "" + DURATION_MS) double durationMs,
      @Option(names = "--batch-ms", defaultValue = "" + BATCH_MS) double batchMs,
      @Option(names = "--rate", defaultValue = "1") double rate,
      @Option(names = "--log-bytes", defaultValue = "" + LOG_BYTES) int logBytes)
      throws IOException {
    List<SampleRequest> samples =
        folder.isPresent() ? SampleRequest.of(folder.get()) : SampleRequest.generated();
    Bill bill =
        Bill.of(samples, root.resolve("template.yaml"), durationMs, batchMs, rate, logBytes);
    output.print(bill);
    return bill.events().size() == samples.size() ? 0 : 1;
  }

  @Command
  void scale() throws IOException {
    Scale scale = Scale.of(root.resolve("template.yaml"), DURATION_MS, BATCH_MS, LOG_BYTES);
    output.print(scale.page());
  }

  @Command
  void logins() throws IOException {
    output.print(new FailedLogins(root.resolve("template.yaml")));
  }

  @Command
  void coldstart(
      @Option(names = "--runs", defaultValue = "5") int runs,
      @Option(names = "--invokes", defaultValue = "10000") int invokes,
      @Option(names = "--only", defaultValue = "") Pattern only,
      @Option(names = "--beside") Optional<Path> otherZip,
      @Option(names = "--folder", required = true) Path folder,
      @Option(names = "--launcher") Optional<String> launcher,
      @Option(names = "--trust-store") Optional<Path> trustStore,
      @Option(names = "--conditions", required = true) String conditions)
      throws IOException, InterruptedException, GeneralSecurityException {
    List<String> words = launcher.map(it -> List.of(it.split(" ", -1))).orElse(List.of());
    ColdStart coldStart = new ColdStart(folder, words, otherZip, trustStore, conditions);
    output.print(coldStart.measure(root, only, runs, invokes));
  }
}
