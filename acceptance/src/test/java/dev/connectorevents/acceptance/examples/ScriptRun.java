package dev.connectorevents.acceptance.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The result of a run of a program of {@code examples/} that ends by itself.
 *
 * @param output the lines of standard output
 * @param errors the lines of standard error
 */
record ScriptRun(int exitCode, List<String> output, List<String> errors) {

  /**
   * How long a script may run, in s. It waits up to 30 s for an answer, and then tries again: a
   * local database that is busy with the batches of an outbox lets reads wait.
   */
  private static final int PATIENCE = 120;

  /** Runs a command with these settings and an empty input until it exits. */
  static ScriptRun of(List<String> command, Map<String, String> settings, Path folder)
      throws IOException, InterruptedException {
    Path output = folder.resolve("output");
    Path errors = folder.resolve("errors");
    Process process =
        Examples.process(command, settings)
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile())
            .start();
    process.getOutputStream().close();
    boolean hasExited = process.waitFor(PATIENCE, TimeUnit.SECONDS);
    process.destroyForcibly();
    assertThat(hasExited).as("it exits").isTrue();
    return new ScriptRun(
        process.exitValue(), Files.readAllLines(output), Files.readAllLines(errors));
  }
}
