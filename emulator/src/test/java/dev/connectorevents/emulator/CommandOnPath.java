package dev.connectorevents.emulator;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.List;
import java.util.Map;
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

  /**
   * Runs the command and waits until it ends.
   *
   * @param errors where its standard error goes
   */
  public Result run(Redirect errors) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(words).redirectError(errors);
    builder.environment().put("AWS_DEFAULT_REGION", "us-east-1"); // SAM's translator needs one
    Process process = builder.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Result(process.waitFor(), output);
  }
}
