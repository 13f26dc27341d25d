package dev.connectorevents.acceptance.examples;

import static dev.connectorevents.acceptance.examples.ConnectedService.await;
import static dev.connectorevents.acceptance.examples.ConnectorKind.PYTHON_WITH_OUTBOX;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.acceptance.service.Nightly;
import dev.connectorevents.acceptance.service.World;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills {@code examples/connector.py} while it handles a webhook, before a different line in each
 * run.
 */
class OutboxConnectorKillTest {

  private static final String TOPIC = "push";

  /**
   * A Python program that runs the connector, and kills it when it has executed {@code LINE} lines
   * since the webhook came. The outbox sends the event only after the connector has answered the
   * provider.
   */
  private static final String KILLER =
      """
      import os, runpy, signal, threading

      lines, begun, answered = int(os.environ["LINE"]), False, threading.Event()

      def trace(frame, event, argument):
          global lines, begun
          if os.path.basename(frame.f_code.co_filename) not in ("connector.py", "outbox.py"):
              return None
          is_answering, is_sending = frame.f_code.co_name == "do_POST", "failures" in frame.f_locals
          begun = begun or is_answering
          if is_answering and event == "return":
              answered.set()
          if begun and is_sending:
              answered.wait()
          if begun and event == "line":
              if lines <= 0:  # two threads may count at once, and pass 0
                  os.write(2, f"killed in {frame.f_code.co_name}\\n".encode())  # one write, one line
                  os.kill(os.getpid(), signal.SIGKILL)
              lines -= 1
          return trace

      threading.settrace(trace)
      runpy.run_path("../examples/connector.py", run_name="__main__")
      """;

  @AutoClose private final World service = World.start();

  @TempDir private Path folder;

  private final String token = service.client().token();

  @Test
  void a_kill_before_any_line_loses_nothing_that_was_answered_with_2xx() throws Exception {
    List<String> command = PYTHON_WITH_OUTBOX.command();
    List<String> killer = List.of(command.getFirst(), "-c", KILLER);
    Set<String> accepted = new TreeSet<>();
    Set<String> refused = new TreeSet<>();
    Set<String> killedIn = new TreeSet<>();
    boolean isKilled = true;
    for (int line = 0; isKilled; line += Nightly.choose(10, 1)) {
      String key = "line-" + line;
      try (ExampleConnector connector = connect(killer, line)) {
        (isAccepted(connector, key) ? accepted : refused).add(key);
        isKilled = connector.hasEnded();
        if (isKilled) {
          killedIn.add(placeOfTheKill(connector.log()));
        }
      }
    }

    try (ExampleConnector connector = connect(command, 0)) {
      await(() -> stored().containsAll(payloads(accepted)));
      for (String key : refused) {
        assertThat(isAccepted(connector, key)).isTrue(); // as if the provider delivered it again
      }
      accepted.addAll(refused);
      await(() -> stored().containsAll(payloads(accepted)));
    }

    assertThat(stored()).containsExactlyInAnyOrderElementsOf(payloads(accepted));
    assertThat(killedIn)
        .as("the functions in which it was killed")
        .hasSizeGreaterThan(Nightly.choose(4, 10));
  }

  private static String placeOfTheKill(List<String> log) {
    return log.stream()
        .filter(line -> line.startsWith("killed in "))
        .findFirst()
        .orElseThrow(() -> new AssertionError("it ended by itself: " + log));
  }

  private static boolean isAccepted(ExampleConnector connector, String key) {
    try {
      return connector.deliver(Provider.GITHUB, TOPIC, key, payload(key)) == 200;
    } catch (IOException e) {
      return false; // the connector was killed before it answered
    }
  }

  private static String payload(String key) {
    return "{ \"key\": \"" + key + "\", \"n\": 1.0 }";
  }

  private static List<String> payloads(Set<String> keys) {
    return keys.stream().map(OutboxConnectorKillTest::payload).collect(Collectors.toList());
  }

  private List<String> stored() {
    return StoredWebhook.payloads(service, "github." + TOPIC);
  }

  private ExampleConnector connect(List<String> command, int line) throws IOException {
    Map<String, String> settings =
        Map.of(
            "CONNECTOR_API_TOKEN",
            token,
            "PROVIDER",
            "github",
            "OUTBOX",
            folder.resolve("outbox").toString(),
            "PAUSE",
            "60",
            "PYTHONPATH",
            "../examples",
            "LINE",
            Integer.toString(line));
    return new ExampleConnector(PYTHON_WITH_OUTBOX, command, service.baseUrl(), settings);
  }
}
