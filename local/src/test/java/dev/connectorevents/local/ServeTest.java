package dev.connectorevents.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.emulator.Emulator;
import dev.connectorevents.emulator.EmulatorOptions;
import dev.connectorevents.emulator.Fixtures;
import dev.connectorevents.local.contract.Traffic;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The start of {@code local/serve}: its first answer and its progress lines. */
@SuppressWarnings("NullAway.Init")
class ServeTest {

  private static final String PASSWORD = "correct horse battery staple";
  private static final Map<String, String> USER =
      Map.of("CONNECTOR_API_EMAIL", "connector@example.com", "CONNECTOR_API_PASSWORD", PASSWORD);

  private final ByteArrayOutputStream output = new ByteArrayOutputStream();

  @TempDir private Path directory;

  @Test
  void the_first_login_succeeds_however_early_it_is_sent() throws Exception {
    int port = ServedLocally.freePort();
    CompletableFuture<HttpResponse<String>> answer = new CompletableFuture<>();
    Thread client = Thread.startVirtualThread(() -> answer.complete(firstAnswer(port)));

    try (Emulator service = start(options(port, Optional.empty()))) {
      assertThat(answer.get(60, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
      assertThat(service.baseUrl()).hasPort(port);
    } finally {
      client.interrupt();
    }
  }

  /**
   * Logs in again and again until the service answers, like a script that waits for the service.
   */
  private static HttpResponse<String> firstAnswer(int port) {
    HttpRequest login =
        Fixtures.post(
                URI.create("http://127.0.0.1:" + port),
                "/api/auth/login",
                "{\"email\":\"connector@example.com\",\"password\":\"" + PASSWORD + "\"}")
            .build();
    while (true) {
      try {
        return Fixtures.HTTP.send(login, BodyHandlers.ofString());
      } catch (IOException e) {
        LockSupport.parkNanos(1_000_000); // the port is not open yet
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @Test
  void a_client_that_comes_too_early_waits() throws Exception {
    try (Emulator service = Emulator.prepare(options(0, Optional.empty()), step -> {})) {
      CompletableFuture<HttpResponse<String>> answer =
          Fixtures.HTTP.sendAsync(
              HttpRequest.newBuilder(service.baseUrl().resolve("/none")).build(),
              BodyHandlers.ofString());
      Thread.sleep(500);
      assertThat(answer).isNotDone();

      service.open();

      assertThat(answer.get(60, TimeUnit.SECONDS).statusCode()).isEqualTo(404);
    }
  }

  @Test
  void a_start_reports_only_the_tables_that_it_creates() throws IOException {
    EmulatorOptions stored = options(0, Optional.of(directory));
    start(stored).close();
    assertThat(output.toString(UTF_8)).contains("creating 6 tables");
    output.reset();

    try (Emulator service = start(stored)) {
      assertThat(output.toString(UTF_8)).contains("starting 15 functions").doesNotContain("tables");
      output.reset();
      service.dynamoDb().deleteTable(delete -> delete.tableName("LoginAttemptsTable"));
    }
    start(stored).close();

    assertThat(output.toString(UTF_8)).contains("creating 1 table\n");
  }

  private Emulator start(EmulatorOptions options) throws IOException {
    return Serve.start(options, USER, new PrintStream(output, true, UTF_8), false);
  }

  private static EmulatorOptions options(int port, Optional<Path> data) {
    Path template = CheapHashes.allowedIn(ServedLocally.TEMPLATE);
    return new EmulatorOptions(template, port, data, CheapHashes.PARAMETERS)
        .observed(Traffic.RECORDED);
  }
}
