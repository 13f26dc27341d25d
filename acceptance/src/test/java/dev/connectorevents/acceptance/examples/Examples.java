package dev.connectorevents.acceptance.examples;

import dev.connectorevents.emulator.CommandOnPath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.spi.ToolProvider;

/** Runs the programs of {@code examples/}. */
final class Examples {

  private static final Path FOLDER = Path.of("../examples");

  /** The settings of the machine that an example would take for its own. */
  private static final String SETTINGS =
      "(CONNECTOR|CONSUMER|GITHUB|STRIPE)_.*|API_URL|WEBHOOK_SECRET(_2)?";

  /** The Java example, compiled once: {@code java Connector.java} compiles at each start. */
  private static final class Compiled {

    private static final Path CLASSES = compile();

    private static Path compile() {
      try {
        Path classes = Files.createTempDirectory("example");
        String source = FOLDER.resolve("Connector.java").toString();
        int errors =
            ToolProvider.findFirst("javac")
                .orElseThrow()
                .run(System.out, System.err, "-d", classes.toString(), source);
        if (errors != 0) {
          throw new IllegalStateException(source + " does not compile");
        }
        return classes;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private Examples() {}

  static Path javaClasses() {
    return Compiled.CLASSES;
  }

  /**
   * The command that runs a program. Skips the test if the program's language is not installed.
   *
   * @param words the program's file, and what follows it
   */
  static List<String> command(List<String> words) throws IOException, InterruptedException {
    String file = words.getFirst();
    List<String> command = new ArrayList<>();
    if (file.endsWith(".java")) {
      command.add(System.getProperty("java.home") + "/bin/java");
      command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")); // a quick start
      command.addAll(List.of("-cp", Compiled.CLASSES.toString(), file.replace(".java", "")));
    } else {
      command.add("python3");
      command.add(FOLDER.resolve(file).toString());
    }
    CommandOnPath.assumeWorks(command.getFirst(), "--version");
    command.addAll(words.subList(1, words.size()));
    return command;
  }

  /** A process with these settings, and without those of the machine. */
  static ProcessBuilder process(List<String> command, Map<String, String> settings) {
    ProcessBuilder process = new CommandOnPath(command).process();
    process.environment().keySet().removeIf(name -> name.matches(SETTINGS));
    process.environment().putAll(settings);
    return process;
  }
}
