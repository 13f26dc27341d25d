package dev.connectorevents.acceptance.runbooks;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.acceptance.service.CapturedLog;
import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.emulator.CommandOnPath;
import dev.connectorevents.emulator.CommandOnPath.Result;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the command of "Check a stack" in docs/operating.md on a sound service, and on services with
 * mistakes. {@code operate/tests} has what the command prints and how it judges an answer.
 */
@SuppressWarnings("NullAway.Init")
class CheckTest {

  private static final Pattern WRONG = Pattern.compile("(?m)^✗ (.+?) +\\d+\\.\\d s {2}(.*)$");
  private static final Pattern ERROR = Pattern.compile("(\\d{3}) (\\w+), not \\d{3}");
  private static final Pattern REQUEST = Pattern.compile("\\(request_id (\\S+)\\)");

  private static final String STEPS =
      """
      ✓ create users           0.8 s
      ✓ log in                 0.8 s
      ✓ me                     0.0 s
      ✓ refresh                0.0 s
      ✓ store an event         0.0 s
      ✓ compare clocks         0.0 s
      ✓ retry it               0.0 s
      ✓ refuse a conflict      0.0 s
      ✓ store a batch          0.0 s
      ✓ store 5 MB             0.5 s
      ✓ find missing keys      0.0 s
      ✓ read the feed          0.1 s  position 3 after 0 s
      ✓ list the brand         0.0 s
      ✓ read events            0.2 s
      ✓ read payloads          0.3 s
      ✓ use a static token     0.0 s
      ✓ revoke tokens          0.0 s
      ✓ refuse them            0.4 s
      ✓ refuse another type    0.0 s
      ✓ erase                 10.2 s
      ✓ refuse a late retry    0.0 s
      ✓ clean up               0.0 s

      22 of 22 steps are right, in 13 s\
      """;

  @TempDir private Path folder;
  @AutoClose private World service;
  @AutoClose private SkippedSleeps sleeps;
  private final CapturedLog log = new CapturedLog();

  @BeforeAll
  static void needPython() throws IOException, InterruptedException {
    CommandOnPath.assumeWorks("python3", "--version");
  }

  private void start(Path template) throws IOException {
    service = World.start(new Setup().template(template).inProcess().logged(log)).numbering();
    sleeps = new SkippedSleeps(folder, service.clock());
  }

  /** The run has deleted every user but the world's own, and erased every event. */
  @AfterEach
  void nothing_is_left() {
    assertThat(service.operator().listUsers().get("users"))
        .extracting(user -> user.get("email").textValue())
        .containsExactly(World.EMAIL);
    assertThat(service.countEvents()).isZero();
  }

  @Test
  void on_a_sound_service_each_step_is_right() throws Exception {
    start(World.TEMPLATE);

    Result sound = check();

    assertThat(sound.exitCode()).as(sound.output()).isZero();
    // Without the first line, which has the URL, and the empty line after it.
    assertThat(alike(sound.output().lines().skip(2).collect(joining("\n"))))
        .isEqualTo(alike(STEPS));
    assertThat(page("Check a stack").text()).contains("in 22 steps");
  }

  /** Asserts that a chapter has these lines of output. Times and ids may differ. */
  private void assertShown(Stream<String> lines, String heading) throws IOException {
    String shown = lines.map(line -> "    " + line).collect(joining("\n"));
    assertThat(alike(page(heading).text())).contains(alike(shown));
  }

  private static String alike(String output) {
    return output
        .replaceAll(" *\\d+\\.\\d s|\\d+ s", " 0 s")
        .replaceAll("request_id [^)]+", "request_id 0")
        .replaceAll("(?m) +$", "");
  }

  @Test
  void each_mistake_makes_the_step_wrong_that_meets_it() throws Exception {
    String right = "dynamodb:BatchGetItem";
    String template = Files.readString(World.TEMPLATE);
    template = replaceIn("FindMissingFunction", right, "dynamodb:Scan", template);
    template = replaceIn("ListEventsFunction", "index/by_brand", "index/by_no_brand", template);
    start(Files.writeString(folder.resolve("template.yaml"), template));
    service.clock().jump(Duration.ofMinutes(-10));

    Result result = check();

    assertThat(wrongSteps(result))
        .containsOnlyKeys("compare clocks", "find missing keys", "list the brand")
        .containsEntry("find missing keys", "503 temporarily_unavailable, not 200")
        .containsEntry("list the brand", "503 temporarily_unavailable, not 200")
        .extractingByKey("compare clocks")
        .asString()
        .matches("the clock of CreateEventFunction is (599|600) s behind API Gateway's");
    assertThat(log.text()).contains("is not authorized to perform: " + right);
    assertShown(
        result.output().lines().dropWhile(line -> !line.startsWith("✗ find missing keys")).limit(3),
        "When a step is wrong");
  }

  private static String replaceIn(String resource, String old, String other, String template) {
    int start = template.indexOf("\n  " + resource + ":");
    String rest = template.substring(start);
    assertThat(rest).contains(old);
    return template.substring(0, start) + rest.replaceFirst(old, other);
  }

  /**
   * What a run says that must have failed. The page must have each error, and the log its request.
   *
   * @return the sentence of each wrong step, by the step's name
   */
  private Map<String, String> wrongSteps(Result result) throws IOException {
    assertThat(result.exitCode()).as(result.output()).isOne();
    assertThat(found(ERROR, result.output()))
        .isNotEmpty()
        .allSatisfy(error ->
            assertThat(page("When a step is wrong").text())
                .contains("%s `%s`".formatted(error.group(1), error.group(2))));
    assertThat(found(REQUEST, result.output()))
        .isNotEmpty()
        .allSatisfy(request ->
            assertThat(log.lines()).anyMatch(line -> line.contains('"' + request.group(1) + '"')));
    return found(WRONG, result.output())
        .collect(toMap(step -> step.group(1), step -> step.group(2)));
  }

  private static Stream<MatchResult> found(Pattern pattern, String text) {
    return pattern.matcher(text).results();
  }

  private Result check() throws IOException, InterruptedException {
    String command = page("Check a stack").operatorCommands("check").getFirst();
    String withMarks = "PYTHONIOENCODING=utf-8 " + command;
    return CommandOnPath.of("bash", "-c", sleeps.in(withMarks)).run(Redirect.INHERIT);
  }

  private Runbook page(String heading) throws IOException {
    return Runbook.of(service, heading, folder);
  }
}
