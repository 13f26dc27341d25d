package dev.connectorevents.acceptance.runbooks;

import com.sun.net.httpserver.HttpExchange;
import dev.connectorevents.acceptance.service.WorldClock;
import dev.connectorevents.emulator.http.HttpAnswer;
import dev.connectorevents.emulator.http.LoopbackServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Where a command in Python sleeps, a service's time passes instead. */
final class SkippedSleeps implements AutoCloseable {

  /** Python imports this module at its start. */
  private static final String SLEEP =
      """
      import http.client, time

      def sleep(seconds):
          clock = http.client.HTTPConnection("127.0.0.1", PORT)
          clock.request("GET", f"/{seconds}")
          clock.getresponse().read()
          clock.close()

      time.sleep = sleep
      """;

  private final Path folder;
  private final WorldClock clock;
  private final LoopbackServer sleeps;

  /**
   * @param folder gets a Python module
   */
  SkippedSleeps(Path folder, WorldClock clock) throws IOException {
    this.folder = folder;
    this.clock = clock;
    sleeps = LoopbackServer.answering(this::pass);
    Files.writeString(
        folder.resolve("sitecustomize.py"),
        SLEEP.replace("PORT", "" + sleeps.endpoint().getPort()));
  }

  private void pass(HttpExchange sleep) throws IOException {
    double seconds = Double.parseDouble(sleep.getRequestURI().getPath().substring(1));
    clock.pass(Duration.ofMillis(Math.round(seconds * 1_000)));
    HttpAnswer.json(200, "{}").send(sleep);
  }

  /** Commands for the shell that begin with these, and do not sleep. */
  String in(String commands) {
    return "export PYTHONPATH='" + folder + "'\n" + commands;
  }

  @Override
  public void close() {
    sleeps.close();
  }
}
