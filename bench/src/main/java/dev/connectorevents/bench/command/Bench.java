package dev.connectorevents.bench.command;

import dev.connectorevents.bench.coldstart.ColdStart;
import dev.connectorevents.bench.logins.FailedLogins;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The commands of {@code bench/run}, which {@code bench/run --help} explains. */
@Command(name = "bench/run")
final class Bench {

  private final PrintStream output;

  @Option(names = "--root", required = true)
  private Path root = Path.of("");

  private Bench(PrintStream output) {
    this.output = output;
  }

  /** Runs a command. Exits with 2 if the arguments are wrong or a measurement fails. */
  public static void main(String[] arguments) {
    PrintStream output = System.out;
    System.setOut(System.err); // the functions' log lines go there
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
