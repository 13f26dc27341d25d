package dev.connectorevents.emulator.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import dev.connectorevents.emulator.http.HttpAnswer;
import dev.connectorevents.emulator.http.LoopbackServer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

/**
 * The server from which the process of one function fetches its events.
 *
 * @see <a href="https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html">Runtime API</a>
 */
final class RuntimeApi implements AutoCloseable {

  private static final String PATH = "/2018-06-01/runtime/";
  private static final String OK = "{\"status\":\"OK\"}";

  private final LoopbackServer server = LoopbackServer.bind(0);
  private final BlockingQueue<HttpAnswer> next = new LinkedBlockingQueue<>();
  private final Consumer<Report> reports;

  RuntimeApi(Consumer<Report> reports) throws IOException {
    this.reports = reports;
    server.serve(Map.of(PATH, this::handle));
  }

  /** The value of AWS_LAMBDA_RUNTIME_API: host and port. */
  String address() {
    return server.endpoint().getAuthority();
  }

  /** Resumes a process that has reported {@link Report.Suspended}. */
  void restore() {
    next.add(HttpAnswer.json(200, OK));
  }

  /** Sends an event to a process that has reported {@link Report.Idle}. */
  void send(HttpAnswer event) {
    next.add(event);
  }

  private void handle(HttpExchange exchange) throws IOException {
    String operation = exchange.getRequestURI().getPath().substring(PATH.length());
    String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    long now = System.nanoTime();
    switch (operation) {
      case "restore/next" -> sendNext(exchange, new Report.Suspended());
      case "invocation/next" -> sendNext(exchange, new Report.Idle(now));
      case "init/error", "restore/error" -> accept(exchange, new Report.NotStarted(body));
      case String response when response.endsWith("/response") ->
          accept(exchange, new Report.Answered(body, now));
      default -> accept(exchange, new Report.Failed(body));
    }
  }

  private void accept(HttpExchange exchange, Report report) throws IOException {
    HttpAnswer.json(202, OK).send(exchange);
    reports.accept(report);
  }

  private void sendNext(HttpExchange exchange, Report report) throws IOException {
    reports.accept(report);
    try {
      next.take().send(exchange);
    } catch (InterruptedException e) {
      throw new InterruptedIOException("the server is closed");
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
