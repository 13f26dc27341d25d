package dev.connectorevents.emulator;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Assumptions;

/** A command. {@link #assumeWorks} skips a test on a machine that does not have the command. */
public record CommandOnPath(List<String> words) {

  /** A command's exit code and its standard output. */
  public record Result(int exitCode, String output) {}

  /**
   * Whether each command works. The tests of one process try a command only once, because some take
   * a second.
   */
  private static final Map<List<String>, Boolean> TRIED = new ConcurrentHashMap<>();

  /**
   * Where Python itself is, if it is there. On the PATH there may be a version manager's script in
   * its place, of which each start takes 0.15 s of CPU, as with all commands written in Python.
   */
  private static final Optional<Path> PYTHON = python();

  private static Optional<Path> python() {
    try {
      String program = "import os, sys; print(os.path.dirname(sys.executable), end='')";
      Process python = new ProcessBuilder("python3", "-c", program).start();
      String folder = new String(python.getInputStream().readAllBytes(), UTF_8);
      return python.waitFor() == 0 ? Optional.of(Path.of(folder)) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty(); // there is no Python
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** The PATH for a command that starts others. */
  public static String path() {
    String path = System.getenv("PATH");
    return PYTHON.map(folder -> folder + File.pathSeparator + path).orElse(path);
  }

  /** Skips the test if the command fails. */
  public static void assumeWorks(String... words) throws IOException, InterruptedException {
    Boolean works = TRIED.get(List.of(words));
    if (works == null) {
      works = works(words);
      TRIED.put(List.of(words), works);
    }
    Assumptions.assumeTrue(works, String.join(" ", words) + " does not work here");
  }

  private static boolean works(String... words) throws IOException, InterruptedException {
    try {
      return of(words).run(Redirect.DISCARD).exitCode() == 0;
    } catch (IOException e) {
      return false; // there is no such program
    }
  }

  public static CommandOnPath of(String... words) {
    return new CommandOnPath(List.of(words));
  }

  /** A process of the command. */
  public ProcessBuilder process() {
    List<String> found = new ArrayList<>(words);
    PYTHON
        .map(folder -> folder.resolve(words.getFirst()))
        .filter(Files::isExecutable)
        .ifPresent(program -> found.set(0, program.toString())); // Java looks on its own PATH
    ProcessBuilder process = new ProcessBuilder(found);
    process.environment().put("PATH", path());
    return process;
  }

  /**
   * Runs the command and waits until it ends.
   *
   * @param errors where its standard error goes
   */
  public Result run(Redirect errors) throws IOException, InterruptedException {
    ProcessBuilder builder = process().redirectError(errors);
    builder.environment().put("AWS_DEFAULT_REGION", "us-east-1"); // SAM's translator needs one
    Process process = builder.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Result(process.waitFor(), output);
  }
}
