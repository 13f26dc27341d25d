package dev.connectorevents.acceptance.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.acceptance.service.RunningService;
import dev.connectorevents.emulator.CommandOnPath;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills and restarts {@code examples/outbox.py} while it sends events. */
class OutboxTest {

  private static final int EVENTS = 600;

  @AutoClose private final RunningService service = RunningService.start();

  @TempDir private Path folder;

  @Test
  void every_event_is_sent_once_although_it_is_killed_and_one_event_spoils_its_batch()
      throws Exception {
    CommandOnPath.assumeWorks("python3", "--version");
    add("spoiled", "{\"status\":\"a\",\"status\":\"b\"}");
    add("wrong ", "{\"event_type\":\"a.b\",\"payload\":7}"); // no key ends with a space
    fill();
    Random random = new Random(18);

    for (int kill = 0; kill < 6; kill++) {
      Process sender = start("send");
      sender.waitFor(150 + random.nextInt(250), TimeUnit.MILLISECONDS);
      sender.destroyForcibly().waitFor();
    }
    Process last = start("send");
    long patience = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (service.countEvents() < EVENTS && System.nanoTime() < patience) {
      Thread.sleep(100);
    }
    assertThat(last.isAlive()).isTrue();
    last.destroyForcibly().waitFor();

    assertThat(service.countEvents()).isEqualTo(EVENTS);
    assertThat(Files.readString(folder.resolve("log")))
        .contains("event wrong%20: {'status': 422")
        .contains("event spoiled: {'status': 400");
  }

  @Test
  void what_another_connector_has_refused_is_sent_shown_or_dropped() throws Exception {
    CommandOnPath.assumeWorks("python3", "--version");
    Path file = folder.resolve("refused.jsonl");
    String event = "{\"idempotency_key\":\"k\",\"event_type\":\"a.b\",\"payload\":{}}";
    String lines =
        """

        {"at":"2026-11-25T00:00:00Z","key":"k","answer":{"code":"validation_failed"},"event":"%s"}
        {"at":"2026-11-25T00:00:00Z","key":null,"answer":{"reason":"no id"},"body":"e30="}\
        """
            .formatted(event.replace("\"", "\\\""));
    Files.writeString(file, lines + "\n{\"at\":"); // as a full disk leaves it
    assertThat(run("retry", file.toString()))
        .isEqualTo("1: line 4 of " + file + " is not what a connector has refused");

    Files.writeString(file, lines);
    assertThat(run("retry", file.toString())).isEqualTo("0: ");
    assertThat(run("refused"))
        .matches("0: \\{\"number\": 2, .*\"reason\": \"no id\"}, \"body\": \"e30=\"}")
        .doesNotContain("validation_failed");
    assertThat(run("drop", "2")).isEqualTo("0: ");
    assertThat(run("refused")).isEqualTo("0: ");
    Process send = start("send");
    long patience = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (service.countEvents() < 1 && System.nanoTime() < patience) {
      Thread.sleep(100);
    }
    send.destroyForcibly().waitFor();
    assertThat(service.countEvents()).isEqualTo(1);
  }

  /** Runs a command until it ends. Returns its exit code and what it prints. */
  private String run(String... arguments) throws Exception {
    ProcessBuilder process =
        new ProcessBuilder("python3", "../examples/outbox.py", folder.resolve("outbox") + "");
    process.command().addAll(List.of(arguments));
    Process run = process.redirectErrorStream(true).start();
    String output = new String(run.getInputStream().readAllBytes(), UTF_8).strip();
    return run.waitFor() + ": " + output;
  }

  private void add(String key, String event) throws Exception {
    Process add = start("add", key);
    add.getOutputStream().write(event.getBytes(UTF_8));
    add.getOutputStream().close();
    assertThat(add.waitFor()).isZero();
  }

  /**
   * Inserts {@value #EVENTS} events in the form of {@code outbox.py add}, but with one process: a
   * process for each event would take too long.
   */
  private void fill() throws Exception {
    String fill =
        """
        import sqlite3, sys
        outbox = sqlite3.connect(sys.argv[1])
        event = '{"idempotency_key":"k%d","event_type":"a.b","payload":{"n":%d}}'
        outbox.executemany("INSERT INTO events VALUES (?, ?, 0)",
            [(f"k{i}", event % (i, i)) for i in range(int(sys.argv[2]))])
        outbox.commit()
        """;
    Process process =
        new ProcessBuilder("python3", "-c", fill, folder.resolve("outbox") + "", "" + EVENTS)
            .inheritIO()
            .start();
    assertThat(process.waitFor()).isZero();
  }

  private Process start(String... arguments) throws IOException {
    ProcessBuilder process =
        new ProcessBuilder("python3", "../examples/outbox.py", folder.resolve("outbox") + "");
    process.command().addAll(List.of(arguments));
    process.redirectError(Redirect.appendTo(folder.resolve("log").toFile()));
    process.redirectOutput(Redirect.DISCARD);
    process.environment().put("CONNECTOR_API_URL", service.emulator().baseUrl().toString());
    process.environment().put("CONNECTOR_API_TOKEN", service.client().token());
    return process.start();
  }
}
