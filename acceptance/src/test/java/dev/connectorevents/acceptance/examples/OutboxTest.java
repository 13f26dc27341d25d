package dev.connectorevents.acceptance.examples;

import static dev.connectorevents.acceptance.examples.ConnectedService.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.emulator.CommandOnPath;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@code examples/outbox.py} as a command of its own. */
class OutboxTest {

  private static final int EVENTS = 200;

  @AutoClose private static final World service = World.start();

  /** The type of this test's events. No other test has it. */
  private final String type = "t" + UUID.randomUUID() + ".b";

  @TempDir private Path folder;

  @Test
  void every_event_is_sent_once_although_one_spoils_its_batch() throws Exception {
    add("spoiled", "{\"status\":\"a\",\"status\":\"b\"}");
    add("wrong ", "{\"event_type\":\"" + type + "\",\"payload\":7}"); // no key ends with a space
    python( // as `add` does; but a process for each event would take too long
        """
        import sqlite3, sys
        outbox = sqlite3.connect(sys.argv[1])
        event = '{"idempotency_key":"k%d","event_type":"TYPE","payload":{"n":%d}}'
        rows = [(f"k{i}", event % (i, i)) for i in range(EVENTS)]
        outbox.executemany("INSERT INTO events (key, event, tries) VALUES (?, ?, 0)", rows)
        outbox.commit()
        """
            .replace("TYPE", type)
            .replace("EVENTS", EVENTS + ""));

    sendUntilStored(EVENTS);

    assertThat(Files.readString(folder.resolve("log")))
        .contains("event wrong%20: {'status': 422")
        .contains("event spoiled: {'status': 400");
  }

  @Test
  void what_was_refused_is_sent_shown_or_dropped() throws Exception {
    String event = "{\"idempotency_key\":\"k\",\"event_type\":\"" + type + "\",\"payload\":{}}";
    refuse("'k', '{}', '" + event + "', None, None");
    refuse("None, '{\"reason\": \"no id\"}', None, 'e30=', '{}'");
    refuse("None, r'{\"topic\": \"\\udcff\"}', None, 'e30=', '{}'");
    assertThat(run("retry")).isEqualTo("0: ");
    assertThat(run("refused"))
        .matches(
            "0: \\{\"number\": 2, .*\"no id\"}, \"body\": \"e30=\"}\n"
                + "\\{\"number\": 3, .*\\{\"topic\": \"\\\\udcff\"}, \"body\": \"e30=\"}");
    assertThat(run("drop", "abc")).isEqualTo("1: nothing that was refused has the number abc");
    assertThat(run("drop", "2")).isEqualTo("0: ");
    assertThat(run("drop", "2")).isEqualTo("1: nothing that was refused has the number 2");
    assertThat(run("drop", "3")).isEqualTo("0: ");
    assertThat(run("refused")).isEqualTo("0: ");
    sendUntilStored(1);
  }

  /** Keeps as refused, in Python: a key, an answer, an event, and a body with its request. */
  private void refuse(String row) throws Exception {
    String module = "import sys\nsys.path.append('../examples')\nimport outbox\n";
    assertThat(python(module + "outbox.Outbox(sys.argv[1]).keep([], [(" + row + ")])"))
        .isEqualTo("0: ");
  }

  @Test
  void what_was_refused_is_stored_under_another_key_by_the_commands_of_the_page() throws Exception {
    CommandOnPath.assumeWorks("jq", "--version");
    String payload = "{\"text\": \"\\\"idempotency_key\\\":\\\"k\\\",é\", \"n\": 1.0}";
    add("a\"b\\", "{\"event_type\":\"" + type + "\",\"payload\":" + payload + "}");
    python( // as the sender does
        """
        import sqlite3, sys
        outbox = sqlite3.connect(sys.argv[1])
        outbox.execute("INSERT INTO refused (key, answer, event) SELECT key, '{}', event FROM events")
        outbox.execute("DELETE FROM events")
        outbox.commit()
        """);
    String commands =
        Page.of("connectors.md")
            .commands(
                "python3 examples/outbox.py outbox.db refused | jq -r 'select(.number | tostring =="
                    + " \"3\")")
            .replaceAll("(tostring == \"|drop )3", "$11")
            .replace("examples", Path.of("../examples").toRealPath().toString())
            .replace("outbox.db", "outbox");
    assertThat(output("bash", "-ec", "cd '" + folder + "'\n" + commands)).isEqualTo("0: ");

    assertThat(run("refused")).isEqualTo("0: ");
    sendUntilStored(1);
    assertThat(StoredWebhook.payloads(service, type)).containsExactly(payload);
  }

  @Test
  void only_what_adds_events_makes_a_file_and_no_other_version_is_read() throws Exception {
    for (String command : List.of("refused", "retry", "drop 1")) {
      assertThat(run(command.split(" ", -1))).startsWith("1: [Errno 2] No such file");
    }
    python(
        """
        import sqlite3, sys
        outbox = sqlite3.connect(sys.argv[1])
        outbox.execute("CREATE TABLE events (key TEXT PRIMARY KEY, event TEXT, tries INTEGER)")
        """);
    assertThat(run("retry"))
        .endsWith("is of another outbox.py: let that one send what is in it, then take a new file");
  }

  @Test
  void what_was_refused_of_a_person_is_deleted_by_the_commands_of_the_page() throws Exception {
    CommandOnPath.assumeWorks("jq", "--version");
    refuse("'k', '{}', '{\"email\":\"Zoe@example.com\"}', None, None");
    refuse("None, '{}', None, 'YQp6b2VAZXhhbXBsZQ==', '{}'");
    refuse("None, '{}', None, 'e30=', '{}'");
    String commands =
        Page.of("privacy.md")
            .commands("python3 examples/outbox.py outbox.db refused")
            .replace("drop 17", "drop 2")
            .replace("examples", Path.of("../examples").toRealPath().toString())
            .replace("outbox.db", "outbox");
    assertThat(output("bash", "-ec", "cd '" + folder + "'\n" + commands))
        .isEqualTo("0: 1 {\"email\":\"Zoe@example.com\"}\n2 a zoe@example");

    assertThat(run("refused")).contains("\"number\": 1,", "\"number\": 3,").hasLineCount(2);
  }

  @Test
  void events_are_added_while_a_pager_shows_what_was_refused() throws Exception {
    refuse("None, '{}', None, 'e301' * 50_000, '{}'");
    refuse("None, '{}', None, 'e301' * 50_000, '{}'");
    Process refused = process("refused").start();
    assertThat(refused.getInputStream().read()).isEqualTo('{'); // more than a pipe holds follows

    add("k", "{\"event_type\":\"a.b\",\"payload\":{}}");
    refused.destroyForcibly().waitFor();
  }

  @Test
  void a_thousand_failures_in_a_row_do_not_end_the_sender() throws Exception {
    assertThat(
            python(
                """
                import logging, sys
                sys.path.append("../examples")
                import outbox

                class Down:
                    tries = 0

                    def send(self, events):
                        self.tries += 1
                        if self.tries > 1100:
                            sys.exit("it still tries")
                        return outbox.Answer(0, None, {})

                logging.disable()
                outbox.PAUSE = 0.0
                kept = outbox.Outbox(sys.argv[1])
                kept.database.execute("PRAGMA synchronous = OFF")
                kept.keep([outbox.row("k", '{"event_type":"a.b","payload":{}}')])
                kept.send(Down())
                """))
        .isEqualTo("1: it still tries");
  }

  /** Runs a program with the outbox's name. Returns its exit code and what it prints. */
  private String python(String program) throws Exception {
    CommandOnPath.assumeWorks("python3", "--version");
    return output("python3", "-B", "-c", program, folder.resolve("outbox") + "");
  }

  private String run(String... arguments) throws Exception {
    return output(process(arguments).command().toArray(String[]::new));
  }

  private static String output(String... command) throws Exception {
    Process run = CommandOnPath.of(command).process().redirectErrorStream(true).start();
    String output = new String(run.getInputStream().readAllBytes(), UTF_8).strip();
    return run.waitFor() + ": " + output;
  }

  private void add(String key, String event) throws Exception {
    Process add = process("add", key).start();
    add.getOutputStream().write(event.getBytes(UTF_8));
    add.getOutputStream().close();
    assertThat(add.waitFor()).isZero();
  }

  private Process send() throws Exception {
    return process("send").redirectError(Redirect.appendTo(folder.resolve("log").toFile())).start();
  }

  /** Sends until so many events are stored, and checks that it goes on. */
  private void sendUntilStored(int events) throws Exception {
    Process sender = send();
    await(() -> StoredWebhook.count(service, type) >= events);
    assertThat(sender.isAlive()).isTrue();
    sender.destroyForcibly().waitFor();
    assertThat(StoredWebhook.count(service, type)).isEqualTo(events);
  }

  private ProcessBuilder process(String... arguments) throws Exception {
    List<String> words = new ArrayList<>(List.of("outbox.py", folder.resolve("outbox") + ""));
    words.addAll(List.of(arguments));
    Map<String, String> settings =
        Map.of(
            "CONNECTOR_API_URL",
            service.baseUrl().toString(),
            "CONNECTOR_API_TOKEN",
            service.client().token());
    return Examples.process(Examples.command(words), settings);
  }
}
