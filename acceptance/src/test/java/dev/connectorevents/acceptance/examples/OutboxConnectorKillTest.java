package dev.connectorevents.acceptance.examples;

import static dev.connectorevents.acceptance.examples.ConnectedService.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.emulator.CommandOnPath;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills {@code examples/connector.py} while it handles a webhook, before each line that it
 * executes. By day, {@code local/exam} kills it at random moments.
 */
@Tag("nightly")
class OutboxConnectorKillTest {

  private static final String TOPIC = "push";

  /** A Python program that prints how many events wait in an outbox. */
  private static final String COUNT =
      """
      import sqlite3, sys
      print(*sqlite3.connect(sys.argv[1]).execute("SELECT count(*) FROM events").fetchone())
      """;

  /**
   * A Python program that runs the connector, and kills it when it has executed {@code LINE} lines
   * since the webhook came. The outbox sends the event only after the connector has answered the
   * provider. With {@code ONLY_WEBHOOK}, lines count until that answer.
   */
  private static final String KILLER =
      """
      import os, runpy, signal, threading

      lines, begun, answered = int(os.environ["LINE"]), False, threading.Event()

      def trace(frame, event, argument):
          global lines, begun
          if os.path.basename(frame.f_code.co_filename) not in ("connector.py", "outbox.py", "providers.py"):
              return None
          is_answering, is_sending = frame.f_code.co_name == "do_POST", "failures" in frame.f_locals
          begun = begun or is_answering
          if is_answering and event == "return":
              answered.set()
          if answered.is_set() and "ONLY_WEBHOOK" in os.environ:
              return None
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
    List<String> command = ExampleConnector.python();
    List<String> killer = List.of(command.getFirst(), "-c", KILLER);
    Set<String> accepted = new TreeSet<>();
    Set<String> refused = new TreeSet<>();
    Set<String> killedIn = new TreeSet<>();
    boolean isKilled = true;
    for (int line = 0; isKilled; line++) {
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
    assertThat(killedIn).as("the functions in which it was killed").hasSizeGreaterThan(10);
  }

  @Test
  void a_kill_before_any_line_keeps_all_events_of_a_delivery_or_none() throws Exception {
    String python = ExampleConnector.python().getFirst();
    List<String> texts =
        IntStream.range(0, 5).mapToObj(OutboxConnectorKillTest::hubspotEvent).toList();
    String body = texts.toString();
    Map<String, String> headers = Provider.HUBSPOT.headers("", "", body);
    Map<String, String> settings = new HashMap<>();
    settings.putAll(Map.of("PROVIDER", "hubspot", "WEBHOOK_URL", Provider.URL, "ONLY_WEBHOOK", ""));
    settings.put("CONNECTOR_API_URL", "http://localhost:9"); // sends nothing
    Set<Integer> kept = new TreeSet<>();
    boolean isKilled = true;
    for (int line = 0; isKilled; line++) {
      settings.put("OUTBOX", folder.resolve("outbox-" + line).toString());
      try (ExampleConnector connector = connect(List.of(python, "-c", KILLER), line, settings)) {
        int status = postOrDie(connector, headers, body);
        isKilled = connector.hasEnded();
        int events =
            Integer.parseInt(output(python, "-c", COUNT, requireNonNull(settings.get("OUTBOX"))));
        assertThat(status == 200 ? Set.of(5) : Set.of(0, 5)).contains(events);
        kept.add(events);
      }
    }
    assertThat(kept).containsExactly(0, 5);

    settings.put("CONNECTOR_API_URL", service.baseUrl().toString());
    try (ExampleConnector connector = connect(ExampleConnector.python(), 0, settings)) {
      assertThat(postOrDie(connector, headers, body)).isEqualTo(200); // as HubSpot delivers again
      await(() -> output(python, "-c", COUNT, requireNonNull(settings.get("OUTBOX"))).equals("0"));
    }
    assertThat(StoredWebhook.payloads(service, "hubspot.contact.creation"))
        .containsExactlyInAnyOrderElementsOf(texts);
  }

  private static int postOrDie(
      ExampleConnector connector, Map<String, String> headers, String body) {
    try {
      return connector.post("/webhooks", headers, body.getBytes(UTF_8));
    } catch (IOException e) {
      return 0; // the connector was killed before it answered
    }
  }

  private static String output(String... command) throws Exception {
    return CommandOnPath.of(command).run(Redirect.INHERIT).output().strip();
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
    String outbox = folder.resolve("outbox").toString();
    return connect(command, line, Map.of("PROVIDER", "github", "OUTBOX", outbox, "PAUSE", "60"));
  }

  private ExampleConnector connect(List<String> command, int line, Map<String, String> settings)
      throws IOException {
    Map<String, String> all = new HashMap<>(settings);
    all.put("CONNECTOR_API_TOKEN", token);
    all.put("PYTHONPATH", "../examples");
    all.put("LINE", Integer.toString(line));
    return new ExampleConnector(command, service.baseUrl(), all);
  }

  private static String hubspotEvent(int contact) {
    return """
    {"eventId":1,"subscriptionId":7,"portalId":62515,"occurredAt":1564113600000,\
     "subscriptionType":"contact.creation","objectId":%d}\
    """
        .formatted(contact);
  }
}
