package dev.connectorevents.acceptance.examples;

import com.sun.net.httpserver.HttpExchange;
import dev.connectorevents.emulator.http.Answer;
import dev.connectorevents.emulator.http.LoopbackServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands between connectors and the service. It counts requests, shortens the life of tokens, loses
 * some answers, and sometimes answers as API Gateway does when it throttles or finds no instance.
 */
final class UnreliableGateway implements AutoCloseable {

  static final String LOGIN = "/api/auth/login";
  static final String REFRESH = "/api/auth/refresh";
  static final String EVENTS = "/api/webhook-events";

  private final LoopbackServer server = LoopbackServer.bind(0);
  private final HttpClient client = HttpClient.newHttpClient();
  private final Map<String, AtomicInteger> requests = new ConcurrentHashMap<>();
  private final Map<String, AtomicInteger> answers = new ConcurrentHashMap<>();
  private volatile URI target;
  private volatile boolean isBusy;

  UnreliableGateway(URI target) throws IOException {
    this.target = target;
    server.serve(Map.of("/", this::handle));
  }

  /** Passes requests to another port: the service has restarted there. */
  void leadTo(URI moved) {
    target = moved;
  }

  /** Sets whether every event gets 503 with a Retry-After that is longer than a provider waits. */
  void busy(boolean busy) {
    isBusy = busy;
  }

  URI endpoint() {
    return server.endpoint();
  }

  /** Sets all counts to zero. */
  void reset() {
    requests.clear();
    answers.clear();
  }

  /** The requests for this path, answered or not. */
  int requests(String path) {
    return requests.computeIfAbsent(path, any -> new AtomicInteger()).get();
  }

  /** The answers of the service for this path. */
  int answers(String path) {
    return answers.computeIfAbsent(path, any -> new AtomicInteger()).get();
  }

  private void handle(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    int number = requests.computeIfAbsent(path, any -> new AtomicInteger()).incrementAndGet();
    byte[] body = exchange.getRequestBody().readAllBytes();
    int fault = path.equals(EVENTS) ? number % 50 : -1;
    if (fault >= 0 && isBusy) {
      Answer.json(503, "{\"code\":\"temporarily_unavailable\"}")
          .with("Retry-After", "9")
          .send(exchange);
    } else if (fault == 10) {
      Answer.json(429, "{\"message\":\"Too Many Requests\"}").send(exchange);
    } else if (fault == 20) {
      Answer.json(503, "{\"message\":\"Service Unavailable\"}").send(exchange);
    } else {
      HttpResponse<String> answer = forward(exchange, path, body);
      answers.computeIfAbsent(path, any -> new AtomicInteger()).incrementAndGet();
      if (fault != 30) { // that answer is lost: the exchange closes without it
        answer(exchange, answer);
      }
    }
  }

  private HttpResponse<String> forward(HttpExchange exchange, String path, byte[] body)
      throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(target + path)).POST(BodyPublishers.ofByteArray(body));
    for (String name : new String[] {"Authorization", "Content-Type", "Idempotency-Key"}) {
      String value = exchange.getRequestHeaders().getFirst(name);
      if (value != null) {
        request.header(name, value);
      }
    }
    try {
      return client.send(request.build(), BodyHandlers.ofString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private static void answer(HttpExchange exchange, HttpResponse<String> answer)
      throws IOException {
    String body = answer.body().replaceFirst("\"expires_in\":\\d+", "\"expires_in\":1");
    Answer sent = Answer.json(answer.statusCode(), body);
    answer
        .headers()
        .firstValue("retry-after")
        .ifPresent(seconds -> exchange.getResponseHeaders().add("Retry-After", seconds));
    sent.send(exchange);
  }

  @Override
  public void close() {
    server.close();
    client.close();
  }
}
