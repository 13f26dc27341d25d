package dev.connectorevents.acceptance.runbooks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.acceptance.service.Nightly;
import dev.connectorevents.local.FakeAws;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A run of {@code operate/check}. Each of its sleeps lasts a hundredth of the usual time. It stores
 * a large event of 20 kB; in the nightly build, of 5 MB.
 *
 * @param output the file with the command's output
 */
record CheckRun(Process process, Path output) {

  private static final Path OPERATE = Path.of("../operate");
  private static final int LARGE_EVENT = Nightly.choose(20_000, 5_000_000);

  private static final String PYTHON =
      """
      import runpy, signal, sys, time
      # A build in the background ignores Ctrl-C, and so would this process.
      signal.signal(signal.SIGINT, signal.default_int_handler)
      sys.path.insert(0, ".")
      ahead, sleep, now = int(sys.argv[1]), time.sleep, time.time
      time.sleep = lambda seconds: sleep(seconds / 100)
      time.time = lambda: now() + ahead
      from operators import steps
      steps.NOISE = steps.NOISE * int(sys.argv[2]) // steps.LARGE  # the same share
      steps.LARGE = int(sys.argv[2])
      sys.argv = ["check", *sys.argv[3:]]
      runpy.run_path("check", run_name="__main__")
      """;

  /** A step in the output: its mark, its name, its time, and the lines about it. */
  private static final Pattern STEP =
      Pattern.compile("(?m)^([✓✗–]) (.{20}) (?: *[0-9.]+ s  )?(.*(?:\\n {4}.*)*)");

  /**
   * Settings for the start of a run.
   *
   * @param aws the AWS CLI that the command finds
   * @param secondsAhead how many seconds the command's clock is ahead of the true time
   */
  record Start(FakeAws aws, Map<String, String> environment, int secondsAhead) {

    CheckRun run(String... arguments) {
      String python = aws.folder().resolve("python3").toString();
      List<String> command = new ArrayList<>();
      command.addAll(List.of(python, "-c", PYTHON, "" + secondsAhead, "" + LARGE_EVENT));
      command.addAll(List.of(arguments));
      ProcessBuilder builder = new ProcessBuilder(command).directory(OPERATE.toFile());
      builder.environment().put("PYTHONIOENCODING", "utf-8");
      builder.environment().putAll(aws.environment(environment));
      try {
        Path output = Files.createTempFile(aws.folder(), "check", "");
        Process process = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
        process.getOutputStream().close();
        return new CheckRun(process, output);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    Start ahead(int seconds) {
      return new Start(aws, environment, seconds);
    }
  }

  /** Waits for the end of the run, and returns its exit code. */
  int exitCode() {
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  String text() {
    try {
      return Files.readString(output, UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Waits for the end of the run, which must fail. Returns the lines about each failed step, by
   * step name.
   */
  Map<String, String> failures() {
    assertThat(exitCode()).as(text()).isOne();
    return steps("✗");
  }

  /** The lines about each step with this mark, by step name. */
  Map<String, String> steps(String mark) {
    Map<String, String> steps = new LinkedHashMap<>();
    Matcher step = STEP.matcher(text());
    while (step.find()) {
      if (step.group(1).equals(mark)) {
        steps.put(step.group(2).strip(), step.group(3).replace("\n    ", "\n"));
      }
    }
    return steps;
  }
}
