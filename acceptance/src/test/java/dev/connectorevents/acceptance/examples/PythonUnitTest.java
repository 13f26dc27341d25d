package dev.connectorevents.acceptance.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.connectorevents.Promise;
import dev.connectorevents.emulator.CommandOnPath;
import dev.connectorevents.emulator.CommandOnPath.Result;
import dev.connectorevents.local.ServedLocally;
import java.lang.ProcessBuilder.Redirect;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Runs the tests in Python: of the operators' commands and of {@code local/exam}, beside a local
 * service, and of the examples. The exam takes our own connectors and one with known mistakes.
 * Skipped, with the reason, if one of these tests is skipped.
 *
 * <p>Slow: they start processes, and wait for the service, one after another.
 */
@Order(1)
@Execution(CONCURRENT)
class PythonUnitTest {

  /** Runs the test files whose names have one of these letters after {@code test_}. */
  private static final String DISCOVER =
      """
      import os, signal, sys, unittest
      signal.signal(signal.SIGINT, signal.default_int_handler)  # a build in the background ignores it
      folder, port, is_nightly, classes, letters = sys.argv[1:]
      os.chdir("../" + folder)
      os.environ.update(PORT=port, NIGHTLY=is_nightly, CLASSES=classes)
      sys.stderr = sys.stdout
      tests = unittest.defaultTestLoader.discover("tests", f"test_[{letters}]*.py")
      sys.exit(not unittest.TextTestRunner(verbosity=2).run(tests).wasSuccessful())
      """;

  @AutoClose private static final ServedLocally service = ServedLocally.start();

  /** For the exam: other tests read all events, and cannot read its numbers of 5,000 digits. */
  @AutoClose private static final ServedLocally examined = ServedLocally.start();

  @ParameterizedTest
  @CsvSource({
    "operate, a-e",
    "operate, f-z", // those that start moto
    "examples, a-z",
    "local, a-z",
  })
  @Promise({
    "`--yes` works only beside `--brand`, `--ids` or `--user`",
    "An erasure that is interrupted anywhere, and goes on, ends in the same state.",
    "writes what it has found to a file that only you may read",
    "`operate/erase` sends these events until an erasure is complete",
    "`operate/restore` and `operate/feed` send its events again with `next` until it is absent.",
    "send its events again with `next` until it is absent. Everything may be repeated.",
    "So a consumer that has stopped rings when its last page is as old as the time.",
    "so it goes off when the last event is as old as the pause",
    "Keep each state, and show the one with the greatest version.",
    "**An erasure deletes the row of its event.** The state before it shows again",
    "the connector verifies it before it forwards an event.",
    "Percent-encode other characters, as in `%C3%A9`",
    "**A 2xx means that the event is stored, or in the queue.**",
    "with its reason and all of its delivery",
    "The function looks there every five minutes.",
    "loses or doubles an event, or the provider gets a 4xx for it",
    "the provider gets no 2xx for what can never be stored, or the connector sends it again and again"
  })
  void the_tests_in_python_pass(String folder, String letters) throws Exception {
    CommandOnPath.assumeWorks("python3", "--version");

    int port = (folder.equals("local") ? examined : service).url().getPort();
    String isNightly = "" + Boolean.getBoolean("nightly");
    String classes = Examples.javaClasses().toString();
    Result tests =
        CommandOnPath.of(
                "python3", "-B", "-c", DISCOVER, folder, "" + port, isNightly, classes, letters)
            .run(Redirect.INHERIT);

    assertThat(tests.exitCode()).as(tests.output()).isZero();
    assertThat(tests.output()).containsPattern("\nRan [1-9]");
    String skipped =
        tests
            .output()
            .lines()
            .filter(line -> line.contains(" ... skipped "))
            .findFirst()
            .orElse("");
    assumeTrue(skipped.isEmpty(), skipped);
  }
}
