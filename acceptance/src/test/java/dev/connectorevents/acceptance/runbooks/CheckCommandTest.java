package dev.connectorevents.acceptance.runbooks;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.emulator.CommandOnPath;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs {@code operate/check} on a sound service: alone, twice at the same time, killed, and
 * interrupted. Also gives it a wrong clock, and a user with a wrong role. {@link CheckFaultsTest}
 * plants more mistakes.
 */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "needs bash and signals")
@SuppressWarnings("NullAway.Init")
class CheckCommandTest {

  private static final String[] STACK = {"--stack", "connector-events-prod", "--yes"};
  private static final int INTERRUPTED = 130;
  private static final int KILLED = 137;
  private static final int SECONDS_AHEAD = 600;

  @TempDir private static Path folder;
  @AutoClose private static CheckedService service;

  @BeforeAll
  static void startService() throws IOException, InterruptedException {
    // In one test, a function's call waits until another run of the command has ended.
    service = CheckedService.start(folder, "    Timeout: 15\n", "    Timeout: 60\n");
  }

  @BeforeEach
  void setTheClock() {
    service.setAhead(Duration.ZERO);
  }

  @AfterEach
  void nothing_is_left() {
    service.assertThatNothingIsLeft();
  }

  @Test
  void on_a_sound_stack_it_prints_what_the_page_shows() throws Exception {
    String page = Files.readString(Path.of("../docs/operating.md"));
    String command = "    operate/check " + String.join(" ", STACK) + "\n";
    assertThat(page).contains(command);
    assertThat(Files.readString(Path.of("../README.md"))).contains("    operate/check --stack ");

    CheckRun sound = service.check().run(STACK);

    assertThat(sound.exitCode()).as(sound.text()).isZero();
    // Without the first line, which has the URL, and the empty line after it.
    String shown = sound.text().lines().skip(2).collect(joining("\n    ")).replace("    \n", "\n");
    assertThat(withoutTimes(page.substring(page.indexOf(command)))).contains(withoutTimes(shown));
  }

  private static String withoutTimes(String output) {
    return output.replaceAll(" *\\d+\\.\\d s|\\d+ s", " 0 s");
  }

  @Test
  void a_killed_run_is_cleared_by_later_ones_which_do_not_disturb_each_other() throws Exception {
    // A run clears what a killed run has left, if the killed run began at least 20 minutes ago.
    service.setAhead(Duration.ofMinutes(-21));
    CheckRun killed = service.check().run(service.port());
    service.before("EraseEventsFunction", () -> killed.process().destroyForcibly());
    assertThat(killed.exitCode()).isEqualTo(KILLED);

    service.setAhead(Duration.ZERO);
    CheckRun first = service.check().run(service.port());
    service.before(
        "FindMissingFunction",
        () -> {
          CheckRun second = service.check().run(service.port());
          assertThat(second.exitCode()).as(second.text()).isZero();
        });

    assertThat(first.exitCode()).as(first.text()).isZero();
    assertThat(first.text()).contains("clears 1 killed run at the end");
  }

  @Test
  void an_interrupted_run_cleans_up_and_names_its_machines_wrong_clock() throws Exception {
    CheckRun interrupted = service.check().ahead(SECONDS_AHEAD).run(service.port());
    service.before("FindMissingFunction", () -> interrupt(interrupted.process()));

    assertThat(interrupted.exitCode()).as(interrupted.text()).isEqualTo(INTERRUPTED);
    assertThat(interrupted.text()).contains("\nInterrupted: cleans up. Ctrl-C again");
    assertThat(interrupted.steps("✓")).containsKey("clean up").doesNotContainKey("list");
    assertThat(interrupted.steps("✗"))
        .containsOnlyKeys("compare clocks")
        .extractingByKey("compare clocks")
        .asString()
        .matches("(?s)this machine's clock is (599|600|601) s ahead of API Gateway's\n.*");
  }

  private static void interrupt(Process process) {
    try {
      CommandOnPath.of("kill", "-INT", "" + process.pid()).run(Redirect.INHERIT);
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void a_connector_with_the_role_of_a_consumer_is_named() throws Exception {
    service.before("LoginFunction", CheckCommandTest::makeConnectorAConsumer);

    Map<String, String> wrong = service.check().run(service.port()).failures();

    assertThat(wrong).containsOnlyKeys("me", "store an event");
    assertThat(wrong.get("me"))
        .startsWith(
            "the user's role is consumer, not connector\nSomebody has changed this user after")
        .contains("\noperate/user --port " + service.port()[1] + " show check-");
    assertThat(wrong.get("store an event"))
        .startsWith(
            """
            403 forbidden, not 201
            POST /api/webhook-events is for the role connector, but the user's role is consumer.
            """);
  }

  private static void makeConnectorAConsumer() {
    String connector =
        StreamSupport.stream(
                service.manageUsers("{\"action\":\"list\"}").get("users").spliterator(), false)
            .filter(user -> user.get("state").textValue().equals("active"))
            .map(user -> user.get("email").textValue())
            .filter(email -> email.contains("connector"))
            .findFirst()
            .orElseThrow();
    service.manageUsers(
        "{\"action\":\"set-role\",\"email\":\"%s\",\"role\":\"consumer\"}".formatted(connector));
  }
}
