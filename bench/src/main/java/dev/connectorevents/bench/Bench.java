package dev.connectorevents.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code bench/run coldstart}, which {@code bench/run --help} explains. */
@Command(name = "bench/run coldstart")
final class Bench {

  private Bench() {}

  /** Prints the tables. Exits with 2 if the arguments are wrong or a measurement fails. */
  public static void main(String[] arguments) {
    CommandLine command =
        new CommandLine(new Bench())
            .setParameterExceptionHandler((mistake, all) -> failed(mistake))
            .setExecutionExceptionHandler((failure, line, result) -> failed(failure));
    System.exit(command.execute(arguments));
  }

  private static int failed(Exception failure) {
    System.err.println("bench/run: " + failure.getMessage());
    return 2;
  }

  @Command
  void coldstart(
      @Option(names = "--root", required = true) Path root,
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
    ColdStart coldStart = new ColdStart(root, folder, words, otherZip, trustStore, conditions);
    System.out.print(coldStart.measure(only, runs, invokes));
  }
}
