package dev.connectorevents.acceptance.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.LateIndexes;
import dev.connectorevents.acceptance.service.Nightly;
import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.emulator.CommandOnPath;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Runs {@code examples/poller.py} while events are stored, with kills and without. Also runs it
 * with requests that the service refuses.
 */
class PollerTest {

  private static final int KILLS = Nightly.choose(4, 20);
  private static final int LAG_SECONDS = 2;

  @AutoClose
  private static final World service =
      World.start(new Setup().parameters(Map.of("IndexLagSeconds", "" + LAG_SECONDS)));

  private static final String connector = service.client().token();
  private static final String consumer = service.operator().consumerToken();

  @TempDir private Path folder;

  /** The type of the test's events. No other test has it. */
  private final String type = "polled." + UUID.randomUUID();

  private final Queue<String> stored = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean isOver = new AtomicBoolean();

  @AfterEach
  void endLagAndWriter() {
    LateIndexes.lag = Duration.ZERO;
    isOver.set(true);
  }

  @Test
  void it_sees_every_event_although_it_is_killed_and_restarted() throws Exception {
    CommandOnPath.assumeWorks("python3", "--version");
    LateIndexes.lag = Duration.ofSeconds(LAG_SECONDS);
    Instant firstStored = Instant.now();
    Thread writer = Thread.ofVirtual().start(this::store);
    Random random = new Random(1);

    for (int kill = 0; kill < KILLS; kill++) {
      Process poller = poll();
      poller.waitFor(400 + random.nextInt(700), TimeUnit.MILLISECONDS);
      poller.destroyForcibly().waitFor();
    }
    isOver.set(true);
    writer.join();
    Process last = poll();
    Set<String> seen = new HashSet<>();
    long patience = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    while ((!seen.containsAll(stored) || !from().isAfter(firstStored))
        && System.nanoTime() < patience) {
      Thread.sleep(100);
      seen.addAll(printed());
    }
    last.destroyForcibly().waitFor();

    assertThat(from()).as("the next list begins after the first event").isAfter(firstStored);
    assertThat(stored).hasSizeGreaterThan(KILLS);
    assertThat(seen).containsExactlyInAnyOrderElementsOf(stored);
  }

  @Test
  void without_a_kill_it_prints_nothing_twice() throws Exception {
    CommandOnPath.assumeWorks("python3", "--version");
    Process poller = poll();
    Thread writer = Thread.ofVirtual().start(this::store);
    Thread.sleep(3_000);
    isOver.set(true);
    writer.join();
    long patience = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    while (!printed().containsAll(stored) && System.nanoTime() < patience) {
      Thread.sleep(100);
    }
    Thread.sleep(1_000); // time for more lists, which have the same events
    poller.destroyForcibly().waitFor();

    assertThat(printed()).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(stored);
  }

  @Test
  void started_at_a_time_as_the_operators_page_says_it_prints_the_events_since_then()
      throws Exception {
    CommandOnPath.assumeWorks("python3", "--version");
    LateIndexes.lag = Duration.ofSeconds(LAG_SECONDS); // so that the first list may be empty
    storeOne();
    Thread.sleep(2); // so that the next event has another time
    // An event of the same millisecond is not after a start with a fraction of one.
    Instant start = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    storeOne();

    Process poller = pollSince(start);
    String printed = poller.inputReader().readLine();
    poller.destroyForcibly();

    assertThat(printed).isEqualTo(List.copyOf(stored).getLast());
  }

  @ParameterizedTest
  @CsvSource({
    "401, polled.event, nobody",
    "403, polled.event, a connector",
    "422, polled, a consumer",
  })
  void it_stops_and_says_why_when_the_service_refuses_its_request(
      int status, String polled, String user) throws Exception {
    CommandOnPath.assumeWorks("python3", "--version");
    String token =
        Map.of("a connector", connector, "a consumer", consumer).getOrDefault(user, "e30.e30.e30");
    Answer refusal =
        service.client().get("/api/webhook-events?limit=100&event_type=" + polled, token);
    Path errors = folder.resolve("errors");

    Process poller = poller(polled, token).redirectError(errors.toFile()).start();
    boolean hasStopped = poller.waitFor(20, TimeUnit.SECONDS);
    poller.destroyForcibly();

    assertThat(hasStopped).isTrue();
    assertThat(poller.exitValue()).isEqualTo(1);
    assertThat(refusal.status()).isEqualTo(status);
    assertThat(Files.readAllLines(errors))
        .containsExactly(status + ": " + refusal.body().path("detail").textValue());
  }

  /** The {@code from} of the poller's next list. */
  private Instant from() throws IOException {
    JsonNode state = new ObjectMapper().readTree(folder.resolve("state").toFile());
    return Instant.parse(state.at("/start/from").asText());
  }

  private void store() {
    while (!isOver.get()) {
      LockSupport.parkNanos(50_000_000); // a higher rate would only load the machine
      storeOne();
    }
  }

  private void storeOne() {
    stored.add(
        service
            .client()
            .post(
                "/api/webhook-events",
                "{\"event_type\":\"" + type + "\",\"payload\":{}}",
                "Authorization",
                "Bearer " + connector)
            .body()
            .path("id")
            .asText());
  }

  /**
   * Starts the poller with the commands of {@code docs/operating.md}, for events since {@code
   * start}.
   */
  private Process pollSince(Instant start) throws IOException {
    String commands =
        Page.of("operating.md")
            .commands("echo '{\"start\"")
            .replace("2026-11-01T00:00:00Z", start.toString())
            .replace("API_URL=", "exec env API_URL=") // exec: a kill reaches Python, not the shell
            .replace("examples/", Path.of("../examples").toAbsolutePath() + "/")
            .replace("shopify.orders/create", type);
    ProcessBuilder poller = new ProcessBuilder("bash", "-c", commands).directory(folder.toFile());
    String url = service.baseUrl().toString();
    poller.environment().putAll(Map.of("URL", url, "TOKEN", consumer, "PAUSE", "0.5"));
    return poller.redirectError(Redirect.INHERIT).start();
  }

  private Process poll() throws IOException {
    return poller(type, consumer)
        .redirectError(Redirect.INHERIT)
        .redirectOutput(Redirect.appendTo(folder.resolve("printed").toFile()))
        .start();
  }

  private ProcessBuilder poller(String polled, String token) {
    ProcessBuilder poller =
        new ProcessBuilder(
            "python3", "../examples/poller.py", polled, folder.resolve("state") + "");
    poller.environment().put("API_URL", service.baseUrl() + "/");
    poller.environment().put("CONSUMER_TOKEN", token);
    poller.environment().put("PAUSE", "0.5");
    return poller;
  }

  private List<String> printed() throws IOException {
    Path file = folder.resolve("printed");
    return Files.exists(file) ? Files.readAllLines(file) : new ArrayList<>();
  }
}
